package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
	"github.com/oh-my-webbridge/omw/sim/page/generate/visit"
)

// unshown are the roles of words in a text and of what only names others: a
// snapshot shows what is in them.
var unshown = []string{
	"generic", "strong", "emphasis", "code", "mark", "time", "subscript", "superscript", "deletion", "insertion", "caption", "legend", "label",
	"Figcaption", "abbr",
}

// valued are the elements whose value is compared: behind any other a snapshot has
// the text in it.
var valued = []string{"input", "textarea", "select", "progress", "meter"}

// difference is one disagreement.
type difference struct {
	kind   string
	detail string
}

// tally counts nodes and pages and what they disagree in.
type tally struct {
	Nodes, Agreed             int
	Submissions, SameRequests int
	differences               []difference
}

// compareNodes compares two readings of the same page. Elements are paired by their
// id, those without one by their order among those of their role.
func (t *tally) compareNodes(simulated, real []visit.Node, where string) {
	real = slices.DeleteFunc(slices.Clone(real), func(n visit.Node) bool { return slices.Contains(unshown, n.Role) })
	simulated = slices.DeleteFunc(slices.Clone(simulated), func(n visit.Node) bool { return n.Role == "text" })
	paired := make([]bool, len(real))
	for _, s := range simulated {
		i := slices.IndexFunc(real, func(r visit.Node) bool { return s.ID != "" && r.ID == s.ID })
		for k := 0; s.ID == "" && i < 0 && k < len(real); k++ {
			if !paired[k] && real[k].Role == s.Role {
				i = k
			}
		}
		if i < 0 || paired[i] {
			t.node(fmt.Sprintf("%s only in the simulator", s.Role), fmt.Sprintf("%s: %s", where, show(s)))
			continue
		}
		paired[i] = true
		t.pair(s, real[i], where)
	}
	for i, r := range real {
		if !paired[i] {
			t.node(fmt.Sprintf("%s only in Chromium", r.Role), fmt.Sprintf("%s: %s", where, show(r)))
		}
	}
}

// node counts a node and what is wrong with it, "" for nothing.
func (t *tally) node(kind, detail string) {
	t.Nodes++
	if kind == "" {
		t.Agreed++
		return
	}
	t.differences = append(t.differences, difference{kind, detail})
}

func (t *tally) pair(s, r visit.Node, where string) {
	states := slices.DeleteFunc(slices.Clone(s.States), func(w string) bool {
		return w == "focused" || w == "invalid" || w == "current" || w == "readonly" && slices.Contains(s.States, "disabled")
	})
	// A cell that holds elements is not named again by what they are called.
	holder := s.Name == "" && slices.Contains([]string{"cell", "columnheader", "rowheader", "row"}, s.Role)
	if s.Role == "term" && s.Name == "" {
		// Its text is its name in Chromium, and stands behind it in a snapshot.
		s.Name = s.Value
	}
	kind := ""
	switch {
	case s.Role != r.Role:
		kind = fmt.Sprintf("role %s here, %s in Chromium (%s)", s.Role, r.Role, r.Tag)
	case !holder && s.Name != r.Name:
		kind = "name of a " + s.Role
	case slices.Contains(valued, r.Tag) && s.Value != r.Value:
		kind = "value of a " + s.Role
	case !slices.Equal(states, r.States):
		kind = fmt.Sprintf("states of a %s: %v here, %v in Chromium", s.Role, states, r.States)
	}
	detail := ""
	if kind != "" {
		detail = fmt.Sprintf("%s: %s here, %s in Chromium", where, show(s), show(r))
	}
	t.node(kind, detail)
}

func show(n visit.Node) string {
	return strings.TrimSpace(fmt.Sprintf("#%s %s %q %v %s", n.ID, n.Role, n.Name, n.States, n.Value))
}

// compareRequests compares what the pages sent.
func (t *tally) compareRequests(simulated, real []visit.Request, where string, script generate.Script) {
	t.Submissions++
	a, b := comparable(simulated), comparable(real)
	if a == b {
		t.SameRequests++
		return
	}
	t.differences = append(t.differences, difference{
		"what is sent", fmt.Sprintf("%s, %v: %s here, %s in Chromium", where, script, a, b),
	})
}

// coordinate is where an image button was hit, which needs a layout.
var coordinate = regexp.MustCompile(`^([^=]*\.)?[xy]$`)

func comparable(requests []visit.Request) string {
	var b strings.Builder
	for _, r := range requests {
		fmt.Fprintf(&b, "%s %s %s", r.Method, r.Path, r.Enctype)
		for _, e := range r.Entries {
			if coordinate.MatchString(e.Name) && regexp.MustCompile(`^\d+$`).MatchString(e.Value) {
				e.Value = "N"
			}
			fmt.Fprintf(&b, " %q=%q", e.Name, e.Value)
		}
		if r.Enctype == generate.PlainText {
			fmt.Fprintf(&b, " %q", r.Body)
		}
		b.WriteString("; ")
	}
	if b.Len() == 0 {
		return "nothing"
	}
	return b.String()
}
