package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// completeTime is how long a completion may ask the daemon: who types is waiting.
const completeTime = 400 * time.Millisecond

const noFiles = cobra.ShellCompDirectiveNoFileComp

// completeAsked completes the flags that every command for a browser has.
func (p *program) completeAsked(root *cobra.Command) {
	browsers := cobra.FixedCompletions([]string{string(protocol.Chrome), string(protocol.Firefox)}, noFiles)
	sessions := func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return p.completeSession(cmd.Context(), typed), noFiles
	}
	// They fail if a flag has a completion already, which these have not.
	_ = root.RegisterFlagCompletionFunc("browser", browsers)
	_ = root.RegisterFlagCompletionFunc("session", sessions)
	_ = root.RegisterFlagCompletionFunc("timeout", cobra.FixedCompletions([]string{"5s", "30s", "120s"}, noFiles))
}

// completeFlag completes the flag of an argument.
func (p *program) completeFlag(cmd *cobra.Command, r *request, flag string, arg protocol.Argument) {
	_ = cmd.RegisterFlagCompletionFunc(flag, func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return p.completeArgument(cmd.Context(), arg, typed)
	})
}

// completeWord completes a word without a flag.
func (p *program) completeWord(ctx context.Context, v *verb, r *request, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	words := v.words
	if len(v.variants) > 0 {
		if len(args) == 0 {
			var out []string
			for _, w := range v.variants {
				if strings.HasPrefix(w.name, typed) {
					out = append(out, w.name+"\t"+w.short)
				}
			}
			return out, noFiles
		}
		chosen, rest, err := v.variant(args)
		if err != nil {
			return nil, noFiles
		}
		words, args = chosen.words, rest
	}
	for _, w := range words {
		switch {
		case r.has(w.fills...):
		case len(args) > 0 && !w.rest:
			args = args[1:]
		default:
			return p.completeFills(ctx, v, r, w, typed)
		}
	}
	return nil, noFiles
}

// completeFills offers what each of the arguments may be that the word fills.
func (p *program) completeFills(ctx context.Context, v *verb, r *request, w word, typed string) ([]string, cobra.ShellCompDirective) {
	if v.name == "open" {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	directive := noFiles
	for _, name := range w.fills {
		if arg, ok := r.argument(name); ok {
			more, d := p.completeArgument(ctx, arg, typed)
			out = append(out, more...)
			if d != noFiles {
				directive = d
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), directive
}

// completeArgument offers the values of an argument.
func (p *program) completeArgument(ctx context.Context, arg protocol.Argument, typed string) ([]string, cobra.ShellCompDirective) {
	switch {
	case arg.Path:
		return nil, cobra.ShellCompDirectiveDefault
	case arg.Name == "tab":
		return p.completeTab(ctx, typed), noFiles
	case slices.Contains([]string{"ref", "refs", "selector", "to", "from"}, arg.Name) && strings.HasPrefix(typed, "@"):
		return p.completeRef(ctx, typed), noFiles
	}
	return valuesOf(arg, typed), noFiles
}

// completing asks the daemon for something to offer. Nothing is offered, and
// nothing said, where there is none or it does not know the token: the client
// asks for its proof before it sends anything (AUTH-20).
func completing[T any](ctx context.Context, p *program, ask func(context.Context, *client.Client) ([]T, error)) []T {
	ctx, cancel := context.WithTimeout(ctx, completeTime)
	defer cancel()
	c, err := p.place.client()
	if err != nil {
		return nil
	}
	defer c.Close()
	all, err := ask(ctx, c)
	if err != nil {
		return nil
	}
	return all
}

func (p *program) completeSession(ctx context.Context, typed string) []string {
	return completing(ctx, p, func(ctx context.Context, c *client.Client) ([]string, error) {
		s, err := c.Status(ctx)
		var out []string
		for _, name := range slices.Sorted(maps.Keys(s.Sessions)) {
			if strings.HasPrefix(name, typed) {
				out = append(out, name+"\t"+s.Sessions[name].Title())
			}
		}
		return out, err
	})
}

// completeTab offers the session's tabs. The action binds no session.
func (p *program) completeTab(ctx context.Context, typed string) []string {
	return completing(ctx, p, func(ctx context.Context, c *client.Client) ([]string, error) {
		s, err := p.idle(ctx, c)
		if err != nil {
			return nil, err
		}
		tabs, err := s.Tabs(ctx, client.TabsArgs{})
		var out []string
		for _, t := range tabs.Tabs {
			if id := fmt.Sprint(t.Tab); strings.HasPrefix(id, typed) {
				out = append(out, id+"\t"+oneLine(clean(t.Title+" "+t.URL)))
			}
		}
		return out, err
	})
}

// completeRef offers the references of what can be acted on. A snapshot is taken
// where it is cheap alone: of a session that is bound, so that nothing is bound
// by it, in a browser that has nothing else to do.
func (p *program) completeRef(ctx context.Context, typed string) []string {
	return completing(ctx, p, func(ctx context.Context, c *client.Client) ([]string, error) {
		s, err := p.idle(ctx, c)
		if err != nil {
			return nil, err
		}
		page, err := s.Snapshot(ctx, client.SnapshotArgs{Interactive: true})
		var out []string
		for line := range strings.Lines(page.Text) {
			_, behind, ok := strings.Cut(line, "ref=")
			if !ok {
				continue
			}
			ref, _, _ := strings.Cut(behind, "]")
			ref, _, _ = strings.Cut(ref, " ")
			if ref = "@" + ref; isReference(ref) && strings.HasPrefix(ref, typed) {
				what, _, _ := strings.Cut(strings.TrimLeft(line, " -"), " [")
				out = append(out, ref+"\t"+oneLine(clean(what)))
			}
		}
		return out, err
	})
}

// idle returns the session, if it is bound and no command of its browser is under
// way: one that must wait would not be offered in time.
func (p *program) idle(ctx context.Context, c *client.Client) (client.Session, error) {
	name, _ := p.asked.name()
	status, err := c.Status(ctx)
	if err != nil {
		return client.Session{}, err
	}
	browser, bound := status.Sessions[name]
	if is := status.Browsers[browser]; !bound || !is.Connected || is.Commands > 0 {
		return client.Session{}, protocol.Errorf(protocol.Busy, "the session %q has no browser that is free", name)
	}
	return c.Session(name), nil
}
