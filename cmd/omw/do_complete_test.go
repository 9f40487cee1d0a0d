package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"
)

func TestCompletion(t *testing.T) {
	for name, tc := range map[string]struct {
		args  []string
		typed string
		want  []string // without the descriptions
		how   cobra.ShellCompDirective
	}{
		"actions":               {nil, "s", []string{"save_as_pdf", "screenshot", "scroll", "select", "select_option", "sessions", "snapshot", "status", "switch_tab"}, cobra.ShellCompDirectiveNoFileComp},
		"internal actions":      {nil, "artifact", nil, cobra.ShellCompDirectiveNoFileComp},
		"arguments":             {[]string{"press"}, "", []string{"key=", "ref=", "selector=", "modifiers=", "tab="}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace},
		"arguments of an alias": {[]string{"press_key"}, "k", []string{"key="}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace},
		"those that are there":  {[]string{"press", "key=a", "tab:=1", "modifiers=Alt"}, "", []string{"ref=", "selector=", "modifiers="}, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace},
		"an unknown action":     {[]string{"nope"}, "", nil, cobra.ShellCompDirectiveNoFileComp},
		"values":                {[]string{"navigate"}, "wait=", []string{"wait=load", "wait=domcontentloaded", "wait=none"}, cobra.ShellCompDirectiveNoFileComp},
		"booleans":              {[]string{"navigate"}, "new_tab=t", []string{"new_tab=true"}, cobra.ShellCompDirectiveNoFileComp},
		"an item of a list":     {[]string{"click"}, "modifiers=Shift,Con", []string{"modifiers=Shift,Control", "modifiers=Shift,ControlOrMeta"}, cobra.ShellCompDirectiveNoFileComp},
		"free text":             {[]string{"type"}, "text=a", nil, cobra.ShellCompDirectiveNoFileComp},
		"files":                 {[]string{"screenshot"}, "path=", nil, cobra.ShellCompDirectiveDefault},
		"an unknown argument":   {[]string{"type"}, "nope=", nil, cobra.ShellCompDirectiveNoFileComp},
	} {
		t.Run(name, func(t *testing.T) {
			got, how := completeDo(nil, tc.args, tc.typed)
			for i, g := range got {
				got[i], _, _ = strings.Cut(g, "\t")
			}
			require.Equal(t, tc.want, got)
			require.Equal(t, tc.how, how)
		})
	}
}
