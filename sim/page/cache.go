package page

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// cache holds what is computed again and again while a snapshot is made, in which
// nothing changes.
type cache struct {
	names  map[*html.Node]string
	styles map[*html.Node]declarations
	// labels are those of each control, by the root of its tree.
	labels map[*html.Node]map[*html.Node][]*html.Node
}

// begin keeps what is computed of d and its frames until done.
func (d *document) begin() {
	d.cache = &cache{
		names: map[*html.Node]string{}, styles: map[*html.Node]declarations{}, labels: map[*html.Node]map[*html.Node][]*html.Node{},
	}
	for _, f := range d.frames {
		f.begin()
	}
}

func (d *document) done() {
	d.cache = nil
	for _, f := range d.frames {
		f.done()
	}
}

func (k *cache) labelsOf(d *document, n *html.Node) []*html.Node {
	root := rootOf(n)
	all, ok := k.labels[root]
	if !ok {
		all = map[*html.Node][]*html.Node{}
		ids := idsOf(root)
		for l := range elements(root) {
			if !is(l, atom.Label) {
				continue
			}
			of := ids[attr(l, "for")]
			if !has(l, "for") {
				of = d.labeled(l)
			}
			if of != nil && labelable(of) {
				all[of] = append(all[of], l)
			}
		}
		k.labels[root] = all
	}
	return all[n]
}

// idsOf are the first elements of each id in a tree.
func idsOf(root *html.Node) map[string]*html.Node {
	ids := map[string]*html.Node{}
	for n := range elements(root) {
		if id := attr(n, "id"); id != "" && ids[id] == nil {
			ids[id] = n
		}
	}
	return ids
}
