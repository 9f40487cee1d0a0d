package page

import (
	"fmt"
	"strconv"

	"golang.org/x/net/html"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// references are those that the snapshots of a session gave. One is good while its
// node stands in its document and has the role and the name that it was shown
// with; its number is never given to another node (TAB-04).
type references struct {
	given   int64
	entries map[int64]*reference
	numbers map[*html.Node]int64
}

type reference struct {
	d          *document
	n          *html.Node
	role, name string
}

// number gives a node its reference: the one it had, if it was shown the same.
func (r *references) number(d *document, n *html.Node, role, name string) int64 {
	if had, ok := r.numbers[n]; ok {
		if e := r.entries[had]; e.role == role && e.name == name {
			return had
		}
	}
	if r.entries == nil {
		r.entries, r.numbers = map[int64]*reference{}, map[*html.Node]int64{}
	}
	r.given++
	r.numbers[n] = r.given
	r.entries[r.given] = &reference{d: d, n: n, role: role, name: name}
	return r.given
}

var referencePattern = expression(`^(?:@|ref=)?e([0-9]{1,16})$`)

// referenceOf reads a reference: @e5, e5 or ref=e5.
func referenceOf(s string) (int64, bool) {
	m := referencePattern().FindStringSubmatch(s)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	return n, err == nil
}

// find returns the element of a reference, or stale_ref with the reason.
func (r *references) find(number int64, b *tab) (element, error) {
	e := r.entries[number]
	if e == nil {
		return element{}, stale(number, "no snapshot of this session has named it")
	}
	was := said(e.role, e.name)
	switch {
	case e.d.tab != b && e.d.alive():
		return element{}, stale(number, fmt.Sprintf("it is an element of tab %d: %s", e.d.tab.id, was))
	case !e.d.alive():
		return element{}, stale(number, "the page that it was on is gone: the tab has navigated or was loaded again; it was "+was)
	case !connected(e.d, e.n):
		return element{}, stale(number, "the element was removed from the page; it was "+was)
	}
	if now := said(e.d.role(e.n), e.d.name(e.n)); now != was {
		return element{}, stale(number, "the element is "+now+" now; it was "+was)
	}
	return element{e.d, e.n}, nil
}

func said(role, name string) string {
	switch {
	case name != "":
		return role + " " + quoted(name)
	case role != "":
		return role
	}
	return "without a role"
}

func stale(number int64, why string) error {
	return fail(protocol.StaleRef, "@e%d cannot be used: %s; take a snapshot", number, why)
}

// forget lets go of the references into documents that are gone for good; their
// numbers stay used.
func (r *references) forget() {
	for number, e := range r.entries {
		if e.d != gone && e.d.over {
			delete(r.numbers, e.n)
			r.entries[number] = &reference{d: gone, role: e.role, name: e.name}
		}
	}
}

// gone is the document of references whose own was let go.
var gone = &document{over: true, tab: &tab{closed: true}}
