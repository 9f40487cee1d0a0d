package visit

import (
	"strings"
	"unicode"
)

// Node is one node of a page as one side shows it.
type Node struct {
	// ID is the id of its element, "" if the parser made it.
	ID    string `json:"id,omitempty"`
	Tag   string `json:"tag,omitempty"`
	Frame string `json:"frame,omitempty"`
	Role  string `json:"role"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
	// States are in the order of StatesOf.
	States []string `json:"states,omitempty"`
}

// StatesOf writes states as a snapshot does. A control that is disabled is not
// said to be readonly: the tree names one restriction alone.
func StatesOf(has map[string]string) []string {
	var states []string
	if l := has["level"]; l != "" {
		states = append(states, "level="+l)
	}
	if has["disabled"] == "true" {
		delete(has, "readonly")
	}
	for _, name := range []string{"disabled", "checked", "pressed", "expanded", "selected", "readonly", "required"} {
		switch v := has[name]; {
		case v == "mixed":
			states = append(states, name+"=mixed")
		case v == "true":
			states = append(states, name)
		case v == "false" && name == "expanded":
			states = append(states, "collapsed")
		}
	}
	return states
}

// Collapse makes runs of what JavaScript calls whitespace one blank, and none at
// the ends: a snapshot holds names and values on one line.
func Collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return unicode.IsSpace(c) || c == '\ufeff' }), " ")
}
