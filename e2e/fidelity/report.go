package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// Report is what a comparison came to.
type Report struct {
	Seed         uint64  `json:"seed"`
	Pages        int     `json:"pages"`
	Nodes        int     `json:"nodes"`
	Agreed       int     `json:"agreed"`
	Percent      float64 `json:"percent"`
	Submissions  int     `json:"submissions"`
	SameRequests int     `json:"same_requests"`
	// Unread are pages that one side could not read; they fail the comparison.
	Unread []string `json:"unread,omitempty"`
	Kinds  []Kind   `json:"kinds"`
}

// Kind is one kind of disagreement.
type Kind struct {
	Kind    string `json:"kind"`
	Count   int    `json:"count"`
	Example string `json:"example"`
}

// least is the part of the nodes, and of what is sent, that must agree.
const least = 95.0

// Passed tells whether enough agrees.
func (r *Report) Passed() bool {
	return len(r.Unread) == 0 && r.Nodes > 0 && r.Submissions > 0 && r.Percent >= least && percent(r.SameRequests, r.Submissions) >= least
}

func percent(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// sum makes the report of a tally.
func sum(seed uint64, pages int, t *tally, unread []string) *Report {
	r := &Report{
		Seed: seed, Pages: pages, Nodes: t.Nodes, Agreed: t.Agreed, Percent: percent(t.Agreed, t.Nodes),
		Submissions: t.Submissions, SameRequests: t.SameRequests, Unread: unread, Kinds: []Kind{},
	}
	at := map[string]int{}
	for _, d := range t.differences {
		i, ok := at[d.kind]
		if !ok {
			i = len(r.Kinds)
			at[d.kind] = i
			r.Kinds = append(r.Kinds, Kind{Kind: d.kind, Example: d.detail})
		}
		r.Kinds[i].Count++
	}
	slices.SortStableFunc(r.Kinds, func(a, b Kind) int { return cmp.Compare(b.Count, a.Count) })
	return r
}

// Write writes the report for a person.
func (r *Report) Write(w io.Writer) {
	fmt.Fprintf(w, "%d pages from seed %d\n", r.Pages, r.Seed)
	fmt.Fprintf(w, "  nodes        %6d of %6d agree, %6.2f %%: role, name, value, states\n", r.Agreed, r.Nodes, r.Percent)
	fmt.Fprintf(w, "  submissions  %6d of %6d agree, %6.2f %%: method, address, entries\n", r.SameRequests, r.Submissions, percent(r.SameRequests, r.Submissions))
	fmt.Fprintln(w, "  not compared: the text of paragraphs, focus, where an image button was hit,")
	fmt.Fprintln(w, "  the names of cells that hold elements, the popup of a select")
	for _, k := range r.Kinds {
		fmt.Fprintf(w, "\n%5d  %s\n       %s\n", k.Count, k.Kind, k.Example)
	}
	for _, u := range r.Unread {
		fmt.Fprintf(w, "\nnot read: %s\n", u)
	}
}
