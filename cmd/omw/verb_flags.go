package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// argumentFlag is an argument of an action as a flag. What it is given goes into
// the request, and is checked at once as the schema's type says.
type argumentFlag struct {
	request *request
	arg     protocol.Argument
}

// Set implements pflag.Value.
func (f *argumentFlag) Set(text string) error {
	return f.request.add(given{key: f.arg.Name, values: []string{text}})
}

// String implements pflag.Value: the default, as help shows it.
func (f *argumentFlag) String() string {
	if f.arg.Default == "" {
		return ""
	}
	var text string
	if json.Unmarshal([]byte(f.arg.Default), &text) == nil {
		return text
	}
	return f.arg.Default
}

// Type implements pflag.Value: what help shows behind the name.
func (f *argumentFlag) Type() string {
	switch {
	case f.arg.Type == "boolean":
		return "bool"
	case f.arg.Type == "array" && f.arg.Items != "object":
		return "list"
	case f.arg.Path:
		return "file"
	case len(f.arg.Enum) > 0:
		return "word"
	case f.arg.Type == "string":
		return "text"
	case f.arg.Type == "integer", f.arg.Type == "number":
		return "n"
	}
	return "json"
}

// flagName is the name of an argument's flag.
func flagName(argument string) string { return strings.ReplaceAll(argument, "_", "-") }

// addFlag adds the flag of an argument.
func addFlag(fs *pflag.FlagSet, r *request, arg protocol.Argument, v *verb) *pflag.Flag {
	help := describe(arg)
	if len(arg.Cmds) < len(v.variants) && arg.Cmds != nil {
		help += "; for " + strings.Join(arg.Cmds, " and ")
	}
	f := fs.VarPF(&argumentFlag{r, arg}, flagName(arg.Name), v.letters[arg.Name], help)
	if arg.Type == "boolean" {
		f.NoOptDefVal = "true"
	}
	return f
}

// most is the end of the range of whole numbers that JSON carries everywhere; it
// says nothing to a reader.
var most = fmt.Sprint(int64(1) << 53)

// describe is what help says of an argument.
func describe(arg protocol.Argument) string {
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	// A back quote would be taken for the name of the value.
	add(strings.ReplaceAll(strings.TrimSuffix(arg.Description, "."), "`", "'"))
	if len(arg.Enum) > 0 {
		add("one of " + strings.Join(arg.Enum, ", "))
	}
	if !strings.Contains(arg.Range, most) {
		add(arg.Range)
	}
	if arg.Type == "array" && arg.Items != "object" {
		add("with commas, or the flag again")
	}
	if len(parts) == 0 {
		return strings.ReplaceAll(arg.Name, "_", " ")
	}
	return strings.Join(parts, "; ")
}
