package generate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// Script is steps to be taken one after the other on the page as it is loaded.
// The last one is meant to leave it; what comes of each is told by [State.Do].
type Script []Step

// Scripts proposes n scripts; the same page always gives the same ones. With
// refusals they also try what must not be done.
func (p *Page) Scripts(n int, refusals bool) []Script {
	w := &scripter{page: p, r: rand.New(rand.NewPCG(p.Seed, 0x737465707)), refusals: refusals}
	scripts := make([]Script, n)
	for i := range scripts {
		scripts[i] = w.script(i)
	}
	return scripts
}

type scripter struct {
	page     *Page
	r        *rand.Rand
	refusals bool
	state    *State
	steps    Script
}

func (w *scripter) script(i int) Script {
	w.state, w.steps = w.page.Begin(), nil
	forms := w.forms()
	var f *form
	if len(forms) > 0 {
		f = forms[i%len(forms)]
	}
	for range 2 + w.r.IntN(5) {
		if left := w.edit(f); left {
			return w.steps
		}
	}
	if i%3 == 2 {
		if it := w.any(func(it *item) bool { return it.href != nil }); it != nil {
			w.take(Step{Verb: Click, ID: it.id})
			return w.steps
		}
	}
	w.send(f)
	return w.steps
}

func (w *scripter) forms() []*form {
	var all []*form
	for _, c := range w.page.controls {
		if c.form != nil && !slices.Contains(all, c.form) {
			all = append(all, c.form)
		}
	}
	return all
}

// take adds a step and says whether it left the page.
func (w *scripter) take(s Step) bool {
	s.Frame = w.page.item(s.ID).frame
	// A refused step changes nothing.
	o := w.state.Do(s)
	if o.Refused != "" && !w.refusals {
		return false
	}
	w.steps = append(w.steps, s)
	return o.Request != nil
}

// any is one of the items that are fit for a step, nil if there is none.
func (w *scripter) any(fit func(*item) bool) *item {
	var some []*item
	for _, it := range w.page.items {
		if fit(it) && (w.refusals && w.r.IntN(4) == 0 || w.state.exposed(it)) && !slices.Contains(it.states, "disabled") && it.invisible != "inert" && (it.frame == "" || it.unexposed == "") {
			// What an agent may do to an inert element no standard says.
			some = append(some, it)
		}
	}
	if len(some) == 0 {
		return nil
	}
	return some[w.r.IntN(len(some))]
}

// edit is a step that stays on the page, in the form where it can be.
func (w *scripter) edit(f *form) bool {
	it := w.any(func(it *item) bool {
		c := it.control
		return c != nil && it.option == nil && c.form == f && !c.submits() && c.typ != "file"
	})
	if w.r.IntN(5) == 0 {
		it = w.any(func(it *item) bool {
			return it.summary != nil || it.edits || it.labels != nil && it.labels.checkable() || it.control != nil && it.control.checkable()
		})
	}
	if it == nil {
		return false
	}
	c := it.control
	switch {
	case it.summary != nil || it.labels != nil || c != nil && c.button():
		return w.take(Step{Verb: Click, ID: it.id})
	case it.edits:
		return w.take(Step{Verb: Type, ID: it.id, Text: "new text"})
	case c.checkable():
		if w.r.IntN(3) == 0 {
			return w.take(Step{Verb: Click, ID: it.id})
		}
		return w.take(Step{Verb: Check, ID: it.id, Checked: c.typ == "radio" || w.r.IntN(2) == 0})
	case c.tag == "select":
		return w.take(Step{Verb: Select, ID: it.id, Values: w.values(c)})
	}
	verb := Type
	if w.r.IntN(4) == 0 && (c.tag == "textarea" || c.typ == "text" || c.typ == "search" || c.typ == "tel") && c.maxlen == 0 {
		verb = Append
	}
	return w.take(Step{Verb: verb, ID: it.id, Text: w.text(c)})
}

func (w *scripter) values(c *control) []string {
	if w.refusals && w.r.IntN(6) == 0 {
		return []string{"no such option"}
	}
	var values []string
	for _, o := range c.options {
		if !o.disabled && !slices.Contains(values, o.value) && w.r.IntN(2) == 0 {
			values = append(values, o.value)
		}
	}
	if !c.multiple && len(values) > 1 {
		values = values[:1]
	}
	if !c.multiple && len(values) == 0 {
		for _, o := range c.options {
			if !o.disabled {
				return []string{o.value}
			}
		}
	}
	return values
}

// text is something to type into c, sometimes against its constraints.
func (w *scripter) text(c *control) string {
	some := map[string][]string{
		"email": {"me@home.test", "not mail", "a@b"}, "url": {"https://x.test/?q=1", "no url"}, "number": {"7", "12.5", "-4", "1000", ""},
		"range": {"12", "200", "33.3"}, "color": {"#00ff00", "#ABCDEF"}, "date": {"2024-05-06", "2023-01-01"}, "time": {"23:59"}, "month": {"2023-12"},
		"week": {"2024-W33"}, "datetime-local": {"2024-05-06T07:08"}, "": {"line one\nline two", "plain", "ümläut & <b>"},
		"password": {"hunter2", "p&=+ w"},
	}[c.typ]
	if some == nil {
		some = []string{"abc", "123", "two words", "ß & = + % 日本", "", "longer than most limits are", "שלום", "0", " blank "}
	}
	if c.tag == "textarea" && w.r.IntN(6) == 0 {
		return strings.Repeat("long ", 5)
	}
	return some[w.r.IntN(len(some))]
}

// send tries to submit f.
func (w *scripter) send(f *form) {
	if f == nil {
		return
	}
	if w.r.IntN(4) == 0 {
		it := w.any(func(it *item) bool {
			return it.control != nil && it.control.form == f && it.control.tag == "input" && it.control.typed()
		})
		if it != nil && w.take(Step{Verb: Enter, ID: it.id}) {
			return
		}
	}
	it := w.any(func(it *item) bool { return it.control != nil && it.control.form == f && it.control.submits() })
	if it != nil {
		w.take(Step{Verb: Click, ID: it.id})
	}
}

// String is the step as a line.
func (s Step) String() string {
	switch s.Verb {
	case Type, Append:
		return fmt.Sprintf("%s #%s %q", s.Verb, s.ID, s.Text)
	case Check:
		return fmt.Sprintf("check #%s %t", s.ID, s.Checked)
	case Select:
		return fmt.Sprintf("select #%s %q", s.ID, s.Values)
	}
	return fmt.Sprintf("%s #%s", s.Verb, s.ID)
}
