package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// scalar returns the JSON of one value of that JSON type.
func scalar(typ, value string, arg protocol.Argument) ([]byte, error) {
	switch typ {
	case "string":
		return quoted(value, arg)
	case "integer":
		if _, err := strconv.ParseInt(value, 10, 64); err != nil || strings.HasPrefix(value, "+") {
			return nil, fmt.Errorf("must be a whole number, not %q", value)
		}
		return compact(value)
	case "number":
		if v, err := compact(value); err == nil && (v[0] == '-' || v[0] >= '0' && v[0] <= '9') {
			return v, nil
		}
		return nil, fmt.Errorf("must be a number, not %q", value)
	case "boolean":
		if value != "true" && value != "false" {
			return nil, fmt.Errorf("must be true or false, not %q", value)
		}
		return []byte(value), nil
	case "any":
		return anything(value, arg)
	}
	v, err := compact(value)
	if err != nil {
		return nil, fmt.Errorf("must be %s as JSON: %w", article(typ), err)
	}
	return v, nil
}

// anything takes text for what it reads as: one of the texts that the schema
// lists, else JSON, else a string.
func anything(value string, arg protocol.Argument) ([]byte, error) {
	if slices.Contains(arg.Enum, value) && value != "true" && value != "false" {
		return quoted(value, arg)
	}
	if v, err := compact(value); err == nil {
		return v, nil
	}
	return quoted(value, arg)
}

func quoted(value string, arg protocol.Argument) ([]byte, error) {
	if !utf8.ValidString(value) {
		return nil, errors.New("is not UTF-8, which JSON cannot carry")
	}
	if arg.Path {
		var err error
		if value, err = absolute(value); err != nil {
			return nil, err
		}
	}
	return marshal(value)
}

func article(typ string) string {
	if strings.ContainsAny(typ[:1], "aeiou") {
		return "an " + typ
	}
	return "a " + typ
}
