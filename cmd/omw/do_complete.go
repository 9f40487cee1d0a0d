package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// completeDo completes the action, then the names of its arguments, then the
// values that an argument may have.
func completeDo(_ *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeAction(typed), cobra.ShellCompDirectiveNoFileComp
	}
	a, ok := protocol.LookupAction(args[0])
	if !ok || a.Internal {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	key, value, hasValue := strings.Cut(typed, "=")
	if !hasValue {
		return completeKey(a, args[1:], key), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
	for _, arg := range a.Arguments() {
		if arg.Name == key {
			return completeValue(arg, key, value)
		}
	}
	return nil, cobra.ShellCompDirectiveNoFileComp
}

func completeAction(typed string) []string {
	var out []string
	for _, a := range protocol.Actions() {
		for _, name := range append([]string{a.Name}, a.Aliases...) {
			if strings.HasPrefix(name, typed) {
				out = append(out, name+"\t"+a.Summary)
			}
		}
	}
	slices.Sort(out)
	return out
}

// completeKey offers the arguments that are not there yet, and lists again.
func completeKey(a *protocol.Action, given []string, typed string) []string {
	there := map[string]bool{}
	for _, g := range given {
		key, _, _ := strings.Cut(g, "=")
		there[strings.TrimSuffix(key, ":")] = true
	}
	var out []string
	for _, arg := range a.Arguments() {
		if strings.HasPrefix(arg.Name, typed) && (!there[arg.Name] || arg.Type == "array") {
			out = append(out, arg.Name+"=\t"+arg.Description)
		}
	}
	return out
}

func completeValue(arg protocol.Argument, key, typed string) ([]string, cobra.ShellCompDirective) {
	if arg.Path {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var out []string
	for _, v := range valuesOf(arg, typed) {
		out = append(out, key+"="+v)
	}
	return out, noFiles
}

// valuesOf lists the values that an argument may have and that begin as typed. In
// a list the last item is completed, behind those that stand there.
func valuesOf(arg protocol.Argument, typed string) []string {
	values := arg.Enum
	if arg.Type == "boolean" {
		values = []string{"true", "false"}
	}
	done, last := "", typed
	if i := strings.LastIndexByte(typed, ','); arg.Type == "array" && i >= 0 {
		done, last = typed[:i+1], typed[i+1:]
	}
	var out []string
	for _, v := range values {
		if strings.HasPrefix(v, last) {
			out = append(out, done+v)
		}
	}
	return out
}
