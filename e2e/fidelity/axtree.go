package main

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"
)

// node is one node of a page as one side shows it.
type node struct {
	// ID is the id of its element, "" if the parser made it.
	ID    string `json:"id,omitempty"`
	Tag   string `json:"tag,omitempty"`
	Frame string `json:"frame,omitempty"`
	Role  string `json:"role"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
	// States are in the order of statesOf.
	States []string `json:"states,omitempty"`
}

// nodes reads Chromium's accessibility tree of the page and its frames, in
// document order. Nodes that Chromium ignores, and the text in a node, are none.
func (t *tab) nodes(ctx context.Context) ([]node, error) {
	documents, err := t.look(ctx)
	if err != nil {
		return nil, err
	}
	var all []node
	for _, d := range documents {
		tree, err := chromedp.Call(ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{FrameID: d.frame})
		if err != nil {
			return nil, fmt.Errorf("read the accessibility tree: %w", err)
		}
		facts, err := evaluate[map[string]fact](ctx, t, d.node, factsOf)
		if err != nil {
			return nil, fmt.Errorf("read the controls: %w", err)
		}
		byID := map[accessibility.NodeID]*accessibility.Node{}
		for _, n := range tree.Nodes {
			byID[n.NodeID] = n
		}
		if len(tree.Nodes) > 0 {
			t.flatten(tree.Nodes[0], byID, facts, &all)
		}
	}
	return all, nil
}

// fact is what Chromium's DOM says of a control. The protocol leaves some of it out
// of the tree by role (required of a check box, readonly of a date, disabled of a
// fieldset), writes a number as a float, and a file input's value as a sentence.
type fact struct {
	Disabled bool    `json:"disabled"`
	Required bool    `json:"required"`
	Readonly bool    `json:"readonly"`
	Selected *bool   `json:"selected"`
	Value    *string `json:"value"`
}

// A readonly attribute applies to what could be written without it, which a copy
// shows.
const factsOf = `function() {
	const facts = {}
	const writable = e => { const copy = e.cloneNode(); copy.readOnly = copy.disabled = false; return copy.matches(":read-write") }
	for (const e of this.querySelectorAll("input, textarea, select, button, option, optgroup, fieldset")) {
		const fact = {disabled: e.matches(":disabled"), required: e.matches(":required"), readonly: Boolean(e.readOnly) && writable(e), selected: null, value: null}
		if (e.localName === "option") fact.selected = e.selected
		if (e.localName === "select") fact.value = [...e.selectedOptions].map(o => o.label).join(", ")
		if (e.localName === "textarea") fact.value = e.value
		if (e.localName === "input") fact.value = ["password", "checkbox", "radio", "submit", "reset", "button", "image", "file"].includes(e.type) ? "" : e.value
		facts[e.id] = fact
	}
	return facts
}`

func (t *tab) flatten(n *accessibility.Node, byID map[accessibility.NodeID]*accessibility.Node, facts map[string]fact, into *[]node) {
	role := plain(n.Role)
	if !n.Ignored && !silent[role] {
		*into = append(*into, t.node(n, role, facts))
	}
	for _, id := range n.ChildIDs {
		if k := byID[id]; k != nil {
			t.flatten(k, byID, facts, into)
		}
	}
}

// silent are the roles of Chromium's nodes that are no elements.
var silent = map[string]bool{"StaticText": true, "InlineTextBox": true, "LineBreak": true, "ListMarker": true, "RootWebArea": true, "none": true}

func (t *tab) node(n *accessibility.Node, role string, facts map[string]fact) node {
	e := t.elements[n.BackendDOMNodeID]
	if to, ok := aria[role]; ok {
		role = to
	}
	made := node{ID: e.id, Tag: e.tag, Frame: e.frame, Role: role, Name: collapse(plain(n.Name)), Value: collapse(plain(n.Value))}
	has := map[string]string{}
	for _, p := range n.Properties {
		has[string(p.Name)] = plain(p.Value)
	}
	if f, ok := facts[e.id]; ok {
		say := func(state string, on bool) {
			if on {
				has[state] = "true"
			}
		}
		say("disabled", f.Disabled)
		say("required", f.Required)
		say("readonly", f.Readonly)
		if f.Selected != nil {
			has["selected"] = strconv.FormatBool(*f.Selected)
		}
		if f.Value != nil {
			made.Value = collapse(*f.Value)
		}
	}
	if e.tag == "select" {
		delete(has, "expanded")
	}
	if role != "heading" {
		delete(has, "level")
	}
	made.States = statesOf(has)
	return made
}

// statesOf writes states as a snapshot does. A control that is disabled is not
// said to be readonly: the tree names one restriction alone.
func statesOf(has map[string]string) []string {
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

// plain is a value of the protocol as text.
func plain(v *accessibility.Value) string {
	if v == nil || len(v.Value) == 0 {
		return ""
	}
	switch v.Value.Kind() {
	case '"':
		var s string
		_ = json.Unmarshal(v.Value, &s)
		return s
	case '0':
		var f float64
		_ = json.Unmarshal(v.Value, &f)
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return string(v.Value)
}

// collapse makes runs of ASCII whitespace one blank, and none at the ends.
func collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(" \t\n\f\r", c) }), " ")
}
