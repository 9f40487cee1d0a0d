package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// equipped returns the verb of that name with its flags.
func equipped(t *testing.T, p *program, name string) (*verb, *cobra.Command, *request) {
	t.Helper()
	p.asked.init()
	for _, v := range verbs() {
		if v.name == name || slices.Contains(v.aliases, name) {
			cmd, r := v.command(p)
			v.equip(p, cmd, r)
			return v, cmd, r
		}
	}
	require.Failf(t, "no such verb", "%s", name)
	return nil, nil, nil
}

// commandOf returns the command that a command line sends. Standard input holds stdin.
func commandOf(t *testing.T, stdin string, line ...string) (client.Command, error) {
	t.Helper()
	p := &program{in: strings.NewReader(stdin)}
	v, cmd, r := equipped(t, p, line[0])
	if err := cmd.ParseFlags(line[1:]); err != nil {
		return client.Command{}, err
	}
	if err := v.fill(p, r, cmd.Flags().Args()); err != nil {
		return client.Command{}, asUsage(v.name, err)
	}
	return p.asked.command(v.name, r.action, r.given)
}

// Whatever the protocol offers can be asked for: every action has a verb, and every
// argument a flag of one, or a verb that gives it.
func TestEveryArgumentHasAFlag(t *testing.T) {
	has := map[string]map[string]bool{
		// status is the daemon's own verb, and the debugger is detached by omw do.
		"status": {}, "cdp_detach": {"tab": true}, "close_session": {},
	}
	for _, v := range verbs() {
		p := &program{}
		_, cmd, r := equipped(t, p, v.name)
		if has[r.action.Name] == nil {
			has[r.action.Name] = map[string]bool{}
		}
		for _, arg := range r.action.Arguments() {
			if cmd.Flags().Lookup(flagName(arg.Name)) != nil || v.isFixed(arg.Name) {
				has[r.action.Name][arg.Name] = true
			}
		}
		for _, flag := range []string{"session", "browser", "timeout"} {
			require.Same(t, p.asked.flags.Lookup(flag), cmd.Flags().Lookup(flag), v.name)
		}
		for _, w := range slices.Concat(v.words, flatWords(v.variants)) {
			for _, name := range w.fills {
				_, ok := r.argument(name)
				require.True(t, ok, "%s: %s fills %s", v.name, w.name, name)
			}
		}
	}
	for _, a := range protocol.Actions() {
		require.NotNil(t, has[a.Name], a.Name)
		for _, arg := range a.Arguments() {
			require.True(t, has[a.Name][arg.Name], "%s: no flag for %s", a.Name, arg.Name)
		}
	}
}

func flatWords(all []variant) []word {
	var out []word
	for _, v := range all {
		out = append(out, v.words...)
	}
	return out
}

// Every alias of an action is a verb too, so that who knows the wire need not
// learn another word.
func TestEveryActionIsAVerbByItsNames(t *testing.T) {
	names := map[string]string{}
	for _, v := range verbs() {
		for _, name := range append([]string{v.name}, v.aliases...) {
			require.Empty(t, names[name], "two verbs are called %s", name)
			names[name] = v.action
		}
	}
	for _, a := range protocol.Actions() {
		for _, name := range append([]string{a.Name}, a.Aliases...) {
			switch name {
			case "status", "cdp_detach":
			case "close_session":
				require.Equal(t, "close_tab", names[name])
			default:
				require.Equal(t, a.Name, names[name], name)
			}
		}
	}
}

func TestEveryVerbIsExplained(t *testing.T) {
	t.Chdir(t.TempDir())
	writeFile(t, "shop.html", "<p>")
	writeFile(t, "probe.js", "1")
	for _, v := range verbs() {
		require.NotEmpty(t, v.section, v.name)
		require.Less(t, len(v.short), 72, v.name)
		require.NotContains(t, v.short, "\n", v.name)
		require.NotEmpty(t, v.examples, v.name)
		for _, line := range v.examples {
			words := shellWords(line)
			require.Contains(t, append([]string{v.name}, v.aliases...), words[0])
			words = slices.DeleteFunc(words, func(w string) bool { return w == "--json" }) // a flag of every verb
			_, err := commandOf(t, "1", words...)
			require.NoError(t, err, line)
		}
		for _, line := range strings.Split(v.long, "\n") {
			require.LessOrEqual(t, len(line), 110, v.name)
		}
	}
}

// shellWords takes a line of an example apart as a shell does, up to a redirection.
func shellWords(line string) []string {
	line, _, _ = strings.Cut(strings.ReplaceAll(line, " < ", " > "), " > ")
	var out []string
	for i, part := range strings.Split(line, "'") {
		if i%2 == 1 {
			out = append(out, part)
		} else {
			out = append(out, strings.Fields(part)...)
		}
	}
	return out
}
