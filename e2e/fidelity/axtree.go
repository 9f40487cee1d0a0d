package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/sim/page/generate/visit"
)

// nodes reads Chromium's accessibility tree of the page and its frames, in
// document order. Nodes that Chromium ignores, and the text in a node, are none.
func (t *tab) nodes(ctx context.Context) ([]visit.Node, error) {
	documents, err := t.look(ctx)
	if err != nil {
		return nil, err
	}
	var all []visit.Node
	t.exposed = map[cdp.BackendNodeID]bool{0: true}
	for _, d := range documents {
		// The protocol answers for a frame that is hidden with its iframe, too.
		if !t.exposed[d.owner] {
			continue
		}
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

func (t *tab) flatten(n *accessibility.Node, byID map[accessibility.NodeID]*accessibility.Node, facts map[string]fact, into *[]visit.Node) {
	role := roleOf(n)
	// What a control is made of inside, its user agent shadow tree, is no element of the page.
	_, ofPage := t.elements[n.BackendDOMNodeID]
	if !n.Ignored && !silent[role] && ofPage {
		*into = append(*into, t.node(n, role, facts))
		t.exposed[n.BackendDOMNodeID] = true
	}
	for _, id := range n.ChildIDs {
		if k := byID[id]; k != nil {
			t.flatten(k, byID, facts, into)
		}
	}
}

// silent are the roles of Chromium's nodes that are no elements.
var silent = map[string]bool{"StaticText": true, "InlineTextBox": true, "LineBreak": true, "ListMarker": true, "RootWebArea": true, "none": true}

func (t *tab) node(n *accessibility.Node, role string, facts map[string]fact) visit.Node {
	e := t.elements[n.BackendDOMNodeID]
	made := visit.Node{ID: e.id, Tag: e.tag, Frame: e.frame, Role: role, Name: visit.Collapse(plain(n.Name)), Value: visit.Collapse(plain(n.Value))}
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
			made.Value = visit.Collapse(*f.Value)
		}
	}
	if e.tag == "select" {
		delete(has, "expanded")
	}
	if role != "heading" {
		delete(has, "level")
	}
	made.States = visit.StatesOf(has)
	return made
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
