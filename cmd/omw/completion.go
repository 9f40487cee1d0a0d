package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/cobra"
)

// behindBash stands behind the script that cobra makes for bash.
//
//go:embed completion.bash
var behindBash []byte

// shells are what writes the completion script of a shell.
var shells = map[string]func(*cobra.Command, io.Writer) error{
	"bash":       bashCompletion,
	"zsh":        func(root *cobra.Command, w io.Writer) error { return root.GenZshCompletion(w) },
	"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
	"powershell": func(root *cobra.Command, w io.Writer) error { return root.GenPowerShellCompletionWithDesc(w) },
}

func (p *program) completionVerb() *cobra.Command {
	names := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:   "completion bash|zsh|fish|powershell",
		Short: "Print the completion script for a shell",
		Long: `completion prints a script by which a shell completes verbs, flags and their values, and what the
daemon knows while it runs: sessions, tabs, and references (type @ first).`,
		Example: `  source <(omw completion bash)                             this shell; or a line of ~/.bashrc
  omw completion zsh > "${fpath[1]}/_omw"                   every new zsh, with compinit
  omw completion fish > ~/.config/fish/completions/omw.fish`,
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && shells[args[0]] != nil {
				return nil
			}
			if len(args) == 1 {
				return fmt.Errorf("there is no completion for %q%s", args[0], didYouMean(args[0], names))
			}
			return fmt.Errorf("name one shell: bash, zsh, fish or powershell")
		},
		RunE: p.verb(func(cmd *cobra.Command, args []string) error {
			if err := shells[args[0]](cmd.Root(), p.out); err != nil {
				return fmt.Errorf("write output: %w", err)
			}
			return nil
		}),
	}
}

// splitAt is how cobra tells the package bash-completion which characters do not
// end a word, and splitToo the same with that of references.
var splitAt, splitToo = []byte(" -n =: "), []byte(" -n =:@ ")

func bashCompletion(root *cobra.Command, w io.Writer) error {
	var script bytes.Buffer
	if err := root.GenBashCompletionV2(&script, true); err != nil {
		return err
	}
	_, err := w.Write(append(bytes.ReplaceAll(script.Bytes(), splitAt, splitToo), behindBash...))
	return err
}
