package page

import (
	"fmt"
	"strings"
	"time"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// deed is one thing that a page does by script.
type deed struct {
	what string
	// on picks the element that it is about; nil is the element of the event.
	on     *target
	text   string
	preset string
	after  time.Duration
}

// target names elements of the document: by CSS, or the form of the event's element.
type target struct {
	css  string
	form bool
}

// heard is the deeds that an event sets off at one element.
type heard struct {
	at    *html.Node
	deeds []deed
}

// bubbles are the events that the elements around their target hear too.
var bubbles = map[string]bool{
	"click": true, "dblclick": true, "contextmenu": true, "input": true, "change": true, "submit": true, "reset": true, "keydown": true,
	"mouseover": true, "drop": true, "focus": false, "blur": false, "load": false, "beforeunload": false,
}

// fire lets the page hear of an event at n, then calls then, which does what the
// event does unless the page prevented it. A dialog in between makes it wait.
func (c *call) fire(d *document, n *html.Node, event string, then func(c *call, prevented bool)) {
	c.hear(d, d.hears(n, event), false, then)
}

// tell is fire for an event that does nothing itself.
func (c *call) tell(d *document, n *html.Node, event string) {
	c.fire(d, n, event, func(*call, bool) {})
}

func (c *call) hear(d *document, all []heard, prevented bool, then func(c *call, prevented bool)) {
	for len(all) > 0 {
		at, deeds := all[0].at, all[0].deeds
		all = all[1:]
		for i, one := range deeds {
			if one.what == "prevent" {
				prevented = true
				continue
			}
			if one.what == "return" {
				break
			}
			kind, isDialog := strings.CutPrefix(one.what, "dialog ")
			if !isDialog {
				c.doLater(d, at, one)
				continue
			}
			rest := append([]heard{{at, deeds[i+1:]}}, all...)
			c.raise(d.tab, &dialog{kind: kind, message: one.text, preset: one.preset, then: func(c *call, accepted bool, _ string) {
				c.hear(d, rest, prevented || (!accepted && kind != "alert"), then)
			}})
			return
		}
	}
	then(c, prevented)
}

// hears are the deeds that an event at n sets off, from n outwards.
func (d *document) hears(n *html.Node, event string) []heard {
	var all []heard
	for e := n; e != nil; e = d.up(e) {
		if deeds := inlineDeeds(e, event); len(deeds) > 0 {
			all = append(all, heard{e, deeds})
		}
		if !bubbles[event] {
			break
		}
	}
	for _, r := range d.rules {
		if r.rule.On != event || (r.rule.URL != "" && !matches(r.rule.URL, d.url.String())) {
			continue
		}
		if r.sel == nil {
			all = append(all, heard{n, r.rule.deeds()})
			continue
		}
		for e := n; e != nil; e = d.up(e) {
			if r.sel.Match(e) {
				all = append(all, heard{e, r.rule.deeds()})
				break
			}
			if !bubbles[event] {
				break
			}
		}
	}
	return all
}

// inlineDeeds are those of an element's attributes.
func inlineDeeds(n *html.Node, event string) []deed {
	var all []deed
	if code, ok := lookup(n, "on"+event); ok {
		all = append(all, deedsOf(code)...)
	}
	if simEvent(n) == event {
		all = append(all, simRule(n).deeds()...)
	}
	if event == "beforeunload" && has(n, "data-sim-beforeunload") {
		all = append(all, deed{what: "prevent"})
	}
	return all
}

// simEvent is the event that an element's data-sim attributes are about: what
// data-sim-on says, else load for the body, submit for a form, change for a
// field, click for anything else.
func simEvent(n *html.Node) string {
	switch {
	case has(n, "data-sim-on"):
		return word(n, "data-sim-on")
	case is(n, atom.Body):
		return "load"
	case is(n, atom.Form):
		return "submit"
	case textField(n), picked(n), is(n, atom.Select):
		return "change"
	}
	return "click"
}

// simRule is what an element's data-sim attributes say.
func simRule(n *html.Node) Rule {
	after, _ := time.ParseDuration(attr(n, "data-sim-after"))
	return Rule{
		Dialog: attr(n, "data-sim-dialog"), Prevent: has(n, "data-sim-prevent"), Console: attr(n, "data-sim-console"),
		Navigate: attr(n, "data-sim-navigate"), After: after, Target: attr(n, "data-sim-target"), HTML: attr(n, "data-sim-html"),
		Remove: has(n, "data-sim-remove"), Hide: has(n, "data-sim-hide"), Show: has(n, "data-sim-show"),
	}
}

// deeds are a rule's, in the order of its fields.
func (r Rule) deeds() []deed {
	var all []deed
	if r.Dialog != "" {
		kind, message, _ := strings.Cut(r.Dialog, ":")
		preset := ""
		if kind == "prompt" {
			message, preset, _ = strings.Cut(message, "|")
		}
		all = append(all, deed{what: "dialog " + kind, text: message, preset: preset})
	}
	if r.Prevent {
		all = append(all, deed{what: "prevent"})
	}
	if r.Console != "" {
		level, message, ok := strings.Cut(r.Console, ":")
		if !ok || !isLevel(level) {
			level, message = "log", r.Console
		}
		all = append(all, deed{what: "console " + level, text: message})
	}
	var on *target
	if r.Target != "" {
		on = &target{css: r.Target}
	}
	for _, one := range []struct {
		holds bool
		what  string
		text  string
	}{{r.HTML != "", "html", r.HTML}, {r.Show, "show", ""}, {r.Hide, "hide", ""}, {r.Remove, "remove", ""}, {r.Navigate != "", "navigate", r.Navigate}} {
		if one.holds {
			all = append(all, deed{what: one.what, on: on, text: one.text, after: r.After})
		}
	}
	return all
}

func isLevel(s string) bool {
	for _, level := range levels {
		if s == level {
			return true
		}
	}
	return false
}

// rule is a Rule with its selector.
type rule struct {
	rule Rule
	sel  cascadia.Matcher
}

// Check returns an error that says what is wrong with a rule.
func (r Rule) Check() error {
	_, err := r.compile()
	return err
}

func (r Rule) compile() (rule, error) {
	one := rule{rule: r}
	if r.Selector != "" {
		sel, err := cascadia.ParseGroup(r.Selector)
		if err != nil {
			return one, fmt.Errorf("read the selector %q of a rule: %w", r.Selector, err)
		}
		one.sel = sel
	}
	if r.Target != "" {
		if _, err := cascadia.ParseGroup(r.Target); err != nil {
			return one, fmt.Errorf("read the target %q of a rule: %w", r.Target, err)
		}
	}
	if _, known := bubbles[r.On]; !known {
		return one, fmt.Errorf("read a rule: %q is no event that the simulated pages have", r.On)
	}
	kind, _, _ := strings.Cut(r.Dialog, ":")
	if r.Dialog != "" && kind != "alert" && kind != "confirm" && kind != "prompt" {
		return one, fmt.Errorf("read a rule: the dialog %q begins with none of alert:, confirm: and prompt", r.Dialog)
	}
	return one, nil
}

// doLater does a deed now, or when its time has come.
func (c *call) doLater(d *document, at *html.Node, one deed) {
	if one.after <= 0 {
		c.perform(d, at, one)
		return
	}
	d.due = append(d.due, dueChange{at: time.Now().Add(one.after), do: func(c *call) { c.perform(d, at, one) }})
}

// find is the element that a deed is about.
func (t *target) find(d *document, at *html.Node) *html.Node {
	switch {
	case t == nil:
		return at
	case t.form:
		return d.owner(at)
	}
	sel, err := cascadia.ParseGroup(t.css)
	if err != nil {
		return nil
	}
	return cascadia.Query(d.root, sel)
}

// perform does a deed to the page.
func (c *call) perform(d *document, at *html.Node, one deed) {
	if level, ok := strings.CutPrefix(one.what, "console "); ok {
		d.tab.log(level, "console", one.text, d.url.String())
		return
	}
	switch one.what {
	case "unknown":
		d.tab.log("warn", "browser", "the simulated browser runs no such script: "+one.text, d.url.String())
		return
	case "navigate":
		if to := resolve(d.base, one.text); to != "" {
			c.open(d, "", get(d.tab, to))
		}
		return
	case "open":
		if to := resolve(d.base, one.text); to != "" {
			c.newTab(d, get(d.tab, to))
		}
		return
	case "back":
		if d.tab.at > 0 {
			_ = c.traverse(d.tab, d.tab.at-1)
		}
		return
	case "reload":
		n := get(d.tab, d.tab.url())
		n.replace = true
		c.next = append(c.next, n)
		return
	case "title":
		d.setTitle(one.text)
		return
	}
	if n := one.on.find(d, at); n != nil {
		c.change(d, n, one)
	}
}

// change does a deed to an element.
func (c *call) change(d *document, n *html.Node, one deed) {
	switch one.what {
	case "html":
		d.setHTML(n, one.text)
	case "text":
		d.empty(n)
		n.AppendChild(&html.Node{Type: html.TextNode, Data: one.text})
	case "remove":
		d.remove(n)
	case "hide":
		setAttr(n, "hidden", "")
	case "show":
		removeAttr(n, "hidden")
	case "disable":
		setAttr(n, "disabled", "")
	case "enable":
		removeAttr(n, "disabled")
	case "display":
		setAttr(n, "style", strings.TrimSuffix(attr(n, "style"), ";")+";display:"+one.text)
	case "value":
		d.setValue(n, one.text)
	case "check", "uncheck":
		d.setChecked(n, one.what == "check")
	case "focus":
		c.focusOn(d, n)
	case "click":
		c.activate(d, n)
	case "submit":
		c.send(d, n, nil)
	case "requestSubmit":
		c.submit(d, n, nil)
	case "reset":
		c.reset(d, n)
	case "showModal", "showDialog":
		c.openDialogElement(d, n, one.what == "showModal")
	case "close":
		c.closeDialogElement(d, n)
	}
}
