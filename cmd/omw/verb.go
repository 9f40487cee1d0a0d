package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// verb is an action as a word of the command line. Most are data alone: the
// action's schema says which flags there are, of which type and what for.
type verb struct {
	name    string
	aliases []string
	// action is the action that the verb asks for.
	action  string
	section section
	short   string
	// long says what short does not; empty if nothing.
	long string
	// examples are command lines without the name of the program.
	examples []string
	// words are what may stand without a flag, in their order.
	words []word
	// fixed are the arguments that the verb itself gives.
	fixed []given
	// variants are what the first word may say; the one without a need to say it
	// is the first. A verb with variants has no words of its own.
	variants []variant
	// needsVariant is true if the first word must be one of the variants.
	needsVariant bool
	// letters are short names of flags, by argument.
	letters map[string]string
	// flags adds flags that are no arguments of the action.
	flags func(*pflag.FlagSet, *request)
	// hidden are arguments without a flag of their own: flags has made one.
	hidden []string
	// begin is called before the words are taken, and end behind them.
	begin, end func(*program, *request) error
	// again is called with file_exists, and reports whether the request is another
	// one now, which may be sent.
	again func(*request) (bool, error)
	// show prints the answer in the place of the action's own way.
	show func(*program, *request, []byte) (bool, error)
}

// variant is a verb within a verb: what "list" is to network.
type variant struct {
	name  string
	short string
	words []word
	fixed []given
}

// word is an argument by its place.
type word struct {
	// name is how help shows it.
	name string
	// fills are the arguments that it may be; none is missing once one is there.
	fills []string
	// optional words may be left out, and rest ones be several.
	optional, rest bool
	// take is nil if the word is the value of what it fills.
	take func(r *request, text string) error
}

// request is what a verb's flags and words ask for, before it is a command.
type request struct {
	program *program
	verb    string
	action  *protocol.Action
	given   []given
	// flags are those of the verb, also those that are no arguments.
	flags *pflag.FlagSet
}

func (r *request) has(names ...string) bool {
	return slices.ContainsFunc(r.given, func(g given) bool { return slices.Contains(names, g.key) })
}

// text returns the text of an argument; "" if it is not there.
func (r *request) text(name string) string {
	for _, g := range r.given {
		if g.key == name {
			return g.values[len(g.values)-1]
		}
	}
	return ""
}

// set gives an argument. An array takes more than one.
func (r *request) set(name string, values ...string) error {
	if err := r.add(given{key: name, values: values, whole: true}); err != nil {
		return fmt.Errorf("%s %w", name, err)
	}
	return nil
}

// add gives an argument. Its error does not name the argument.
func (r *request) add(g given) error {
	arg, ok := r.argument(g.key)
	if !ok {
		return errors.New("is no argument of it")
	}
	at := slices.IndexFunc(r.given, func(h given) bool { return h.key == g.key })
	switch {
	case at < 0:
		if _, err := g.value(arg); err != nil {
			return err
		}
		r.given = append(r.given, g)
	case arg.Type == "array" && arg.Items != "object":
		r.given[at].values = append(r.given[at].values, g.values...)
	default:
		return errors.New("stands there twice")
	}
	return nil
}

// drop takes an argument away.
func (r *request) drop(name string) {
	r.given = slices.DeleteFunc(r.given, func(g given) bool { return g.key == name })
}

func (r *request) argument(name string) (protocol.Argument, bool) {
	all := r.action.Arguments()
	i := slices.IndexFunc(all, func(a protocol.Argument) bool { return a.Name == name })
	if i < 0 {
		return protocol.Argument{}, false
	}
	return all[i], true
}

// command returns the cobra command of the verb, but for its flags, which equip adds.
func (v *verb) command(p *program) (*cobra.Command, *request) {
	r := &request{program: p, verb: v.name}
	cmd := &cobra.Command{
		Use: v.use(), Aliases: v.aliases, GroupID: string(v.section), Short: v.short, Long: v.help(), Example: v.example(),
		Args: cobra.ArbitraryArgs,
		RunE: p.verb(func(cmd *cobra.Command, args []string) error {
			if err := v.fill(p, r, args); err != nil {
				return asUsage(v.name, err)
			}
			return p.perform(cmd.Context(), v, r)
		}),
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return p.completeWord(cmd.Context(), v, r, args, typed)
		},
	}
	return cmd, r
}

// equip adds the flags of the verb. It compiles the action's schema, so that it
// is done for the verbs alone that the command line names.
func (v *verb) equip(p *program, cmd *cobra.Command, r *request) {
	a, ok := protocol.LookupAction(v.action)
	if !ok {
		panic("omw: the verb " + v.name + " asks for no action")
	}
	r.action = a
	fs := cmd.Flags()
	r.flags = fs
	fs.SortFlags = false
	fs.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		return pflag.NormalizedName(strings.ReplaceAll(name, "_", "-"))
	})
	for _, arg := range a.Arguments() {
		if !v.isFixed(arg.Name) && !slices.Contains(v.hidden, arg.Name) {
			f := addFlag(fs, r, arg, v)
			p.completeFlag(cmd, r, f.Name, arg)
		}
	}
	if v.flags != nil {
		v.flags(fs, r)
	}
	fs.AddFlagSet(p.asked.flags)
}

// isFixed reports whether the verb itself decides that argument.
func (v *verb) isFixed(name string) bool {
	is := func(g given) bool { return g.key == name }
	return slices.ContainsFunc(v.fixed, is) || slices.ContainsFunc(v.variants, func(w variant) bool { return slices.ContainsFunc(w.fixed, is) })
}

// fill makes the request complete: the verb's own arguments, and those that stand
// as words.
func (v *verb) fill(p *program, r *request, args []string) error {
	if v.begin != nil {
		if err := v.begin(p, r); err != nil {
			return err
		}
	}
	words, fixed := v.words, v.fixed
	if len(v.variants) > 0 {
		chosen, rest, err := v.variant(args)
		if err != nil {
			return err
		}
		if err := chosen.mayHave(r); err != nil {
			return err
		}
		words, fixed, args = chosen.words, append(slices.Clone(fixed), chosen.fixed...), rest
	}
	if err := takeWords(r, words, args); err != nil {
		return err
	}
	for _, g := range fixed {
		if err := r.set(g.key, g.values...); err != nil {
			return err
		}
	}
	if v.end != nil {
		return v.end(p, r)
	}
	return nil
}

// variant returns the variant that the first word names, and the other words.
func (v *verb) variant(args []string) (*variant, []string, error) {
	var names []string
	for i := range v.variants {
		if len(args) > 0 && v.variants[i].name == args[0] {
			return &v.variants[i], args[1:], nil
		}
		names = append(names, v.variants[i].name)
	}
	if len(args) > 0 {
		return nil, nil, fmt.Errorf("%q is none of %s%s", args[0], strings.Join(names, ", "), didYouMean(args[0], names))
	}
	if v.needsVariant {
		return nil, nil, fmt.Errorf("say %s", strings.Join(names, " or "))
	}
	return &v.variants[0], nil, nil
}

// mayHave reports the flags that go with another variant.
func (w *variant) mayHave(r *request) error {
	for _, g := range r.given {
		if arg, ok := r.argument(g.key); ok && arg.Cmds != nil && !slices.Contains(arg.Cmds, w.name) {
			return fmt.Errorf("%s takes no --%s, which is for %s", w.name, flagName(g.key), strings.Join(arg.Cmds, " and "))
		}
	}
	return nil
}
