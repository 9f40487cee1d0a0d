package main

import (
	"regexp"
	"strings"
)

// needsPointer reports whether an optional field must be a pointer, because its
// zero value says something else than leaving it out.
func needsPointer(sending bool, typ string, schema *object) bool {
	switch {
	case strings.HasPrefix(typ, "*"), strings.HasPrefix(typ, "[]"), typ == "json.RawMessage", schema.has("additionalProperties") && len(schema.member("properties").names) == 0:
		return false
	case len(schema.member("properties").names) > 0:
		return true
	case typ == "int64", typ == "float64":
		return !sending || zeroNumberSaysMore(schema)
	case !sending:
		// Who reads takes a string or boolean that is not there for empty or false.
		return false
	case typ == "bool":
		return schema.get("default") != false && !schema.has("const")
	case typ == "string":
		return emptyStringIsGood(schema)
	}
	return false
}

// zeroNumberSaysMore reports whether 0 is allowed and is not the default.
func zeroNumberSaysMore(schema *object) bool {
	if d, ok := schema.number("default"); ok && d == 0 {
		return false
	}
	if low, ok := schema.number("minimum"); ok && low > 0 {
		return false
	}
	if low, ok := schema.number("exclusiveMinimum"); ok && low >= 0 {
		return false
	}
	return true
}

func emptyStringIsGood(schema *object) bool {
	if least, ok := schema.number("minLength"); ok && least > 0 {
		return false
	}
	if schema.text("format") == "absolute-path" {
		return false
	}
	if pattern := schema.text("pattern"); pattern != "" {
		return regexp.MustCompile(pattern).MatchString("")
	}
	return true
}
