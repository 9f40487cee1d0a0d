package main

import (
	"fmt"
	"strings"
)

// largest is 2^53, up to which a browser counts; it goes without saying.
const largest = "9007199254740992"

// words says in a few words what a value of the schema is.
func (l *library) words(n *node) (string, error) {
	switch {
	case n.has("$ref") && !n.has("properties"):
		target, name, err := l.resolve(n)
		if err == nil && strings.Contains(n.text("$ref"), "/properties/") {
			return l.words(target)
		}
		return fmt.Sprintf("[%s](#type-%s)", name, dashed(name)), err
	case n.has("const"):
		return fmt.Sprintf("`%s`", n.by["const"]), nil
	case n.has("enum"):
		var all []string
		for _, e := range n.items("enum") {
			all = append(all, fmt.Sprintf("`%s`", e.value))
		}
		return strings.Join(all, ", "), nil
	case n.has("oneOf") && !n.has("properties"):
		var all []string
		for _, b := range n.items("oneOf") {
			w, err := l.words(b)
			if err != nil {
				return "", err
			}
			all = append(all, w)
		}
		return strings.Join(all, " or "), nil
	}
	var all []string
	for _, kind := range n.texts("type") {
		w, err := l.kind(kind, n)
		if err != nil {
			return "", err
		}
		all = append(all, w)
	}
	if len(all) == 0 {
		return "any JSON", nil
	}
	return strings.Join(all, " or "), nil
}

func (l *library) kind(kind string, n *node) (string, error) {
	switch kind {
	case "integer", "number":
		return numberWords(kind, n), nil
	case "string":
		return textWords(n), nil
	case "array":
		of, err := l.words(n.child("items"))
		switch {
		case n.has("minItems") && n.has("maxItems"):
			of += fmt.Sprintf(", %s to %s of them", n.by["minItems"], n.by["maxItems"])
		case n.has("minItems"):
			of += fmt.Sprintf(", at least %s", n.by["minItems"])
		}
		if n.has("uniqueItems") {
			of += ", each once"
		}
		return "array of " + of, err
	case "object":
		if n.has("additionalProperties") && n.by["additionalProperties"].Kind() == '{' {
			of, err := l.words(n.child("additionalProperties"))
			return "object of " + of, err
		}
		return "object", nil
	}
	return kind, nil
}

func numberWords(kind string, n *node) string {
	low, high := string(n.by["minimum"]), string(n.by["maximum"])
	if kind == "integer" {
		kind = "whole number"
	}
	switch {
	case n.has("exclusiveMinimum"):
		return fmt.Sprintf("%s above %s, up to %s", kind, n.by["exclusiveMinimum"], high)
	case high == largest && low == "0", low == "" && high == "":
		return kind
	case high == largest:
		return fmt.Sprintf("%s from %s", kind, low)
	}
	return fmt.Sprintf("%s from %s to %s", kind, low, high)
}

func textWords(n *node) string {
	switch {
	case n.text("format") == "absolute-path":
		return "absolute path"
	case n.has("pattern"):
		return fmt.Sprintf("string like `%s`", n.text("pattern"))
	case n.has("maxLength"):
		return fmt.Sprintf("string of %s to %s characters", n.by["minLength"], n.by["maxLength"])
	case n.has("minLength"):
		return "string, not empty"
	}
	return "string"
}
