package main

import (
	"fmt"
	"slices"
	"strings"
)

// list writes the members of an object, a line each, and the rules among them.
func (l *library) list(out *strings.Builder, n *node, indent string) error {
	required := n.texts("required")
	properties := n.child("properties")
	for _, name := range properties.keys {
		if err := l.member(out, name, properties.child(name), slices.Contains(required, name), indent); err != nil {
			return err
		}
	}
	rules, err := l.rules(n)
	for _, rule := range rules {
		fmt.Fprintf(out, "%s- *%s*\n", indent, rule)
	}
	return err
}

func (l *library) member(out *strings.Builder, name string, n *node, required bool, indent string) error {
	words, err := l.words(n)
	if err != nil {
		return err
	}
	if required {
		words += ", required"
	}
	if n.has("default") {
		words += fmt.Sprintf(", else `%s`", n.by["default"])
	}
	if d := n.text("description"); d != "" {
		words += ": " + d
	}
	fmt.Fprintf(out, "%s- `%s` %s\n", indent, name, words)
	inner := n
	if n.has("items") {
		inner = n.child("items")
	}
	for _, b := range inner.items("oneOf") {
		if b.has("properties") && inner.by["type"] == nil {
			inner = b // of a choice by type the object has members
		}
	}
	if inner.has("properties") {
		return l.list(out, inner, indent+"  ")
	}
	return nil
}

// rules says which members an object has together.
func (l *library) rules(n *node) ([]string, error) {
	var out []string
	if n.has("$ref") {
		target, _, err := l.resolve(n)
		if err != nil {
			return nil, err
		}
		if out, err = l.rules(target); err != nil {
			return nil, err
		}
	}
	if groups := requiredOf(n.items("oneOf")); groups != nil {
		out = append(out, "exactly one of "+strings.Join(groups, ", "))
	}
	if groups := requiredOf(n.items("anyOf")); groups != nil {
		out = append(out, "at least one of "+strings.Join(groups, ", "))
	}
	if n.has("not") {
		out = append(out, "not together: "+strings.Join(quoted(n.child("not").texts("required")), ", "))
	}
	for _, all := range n.items("allOf") {
		more, err := l.rules(all)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	needs := n.child("dependentRequired")
	for _, name := range needs.keys {
		out = append(out, fmt.Sprintf("`%s` needs %s", name, strings.Join(quoted(needs.texts(name)), ", ")))
	}
	return out, nil
}

// requiredOf returns the names that each branch requires; nil if a branch says more.
func requiredOf(branches []*node) []string {
	var out []string
	for _, b := range branches {
		if len(b.keys) != 1 || !b.has("required") {
			return nil
		}
		out = append(out, strings.Join(quoted(b.texts("required")), " with "))
	}
	return out
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		out[i] = "`" + name + "`"
	}
	return out
}

// members writes an object under its heading, and each of its variants under
// one of its own.
func (l *library) members(out *strings.Builder, heading string, n *node) error {
	branches := n.items("oneOf")
	inVariants := len(branches) > 0 && branches[0].has("properties")
	switch {
	case n.has("properties") && len(n.child("properties").keys) > 0:
		fmt.Fprintf(out, "%s:\n\n", heading)
		if err := l.list(out, n, ""); err != nil {
			return err
		}
		out.WriteString("\n")
	case !inVariants:
		fmt.Fprintf(out, "%s: nothing.\n\n", heading)
	}
	if !inVariants {
		return nil
	}
	for _, b := range branches {
		fmt.Fprintf(out, "%s (%s):\n\n", heading, strings.TrimSuffix(b.text("description"), "."))
		if err := l.list(out, b, ""); err != nil {
			return err
		}
		out.WriteString("\n")
	}
	return nil
}
