package visit

import (
	"context"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// Oracle is what the standards say.
type Oracle struct {
	state *generate.State
	sent  []Request
}

func (o *Oracle) Load(_ context.Context, p *generate.Page) error {
	o.state, o.sent = p.Begin(), nil
	return nil
}

func (o *Oracle) Nodes(context.Context) ([]Node, error) {
	return Expected(o.state), nil
}

func (o *Oracle) Do(_ context.Context, s generate.Step) (bool, error) {
	r := o.state.Do(s).Request
	if r == nil {
		return false, nil
	}
	o.sent = append(o.sent, Sent(r))
	return true, nil
}

func (o *Oracle) Requests(context.Context) []Request { return o.sent }

// Expected are the nodes of a state as a snapshot has them.
func Expected(s *generate.State) []Node {
	var all []Node
	for _, n := range s.Nodes() {
		all = append(all, expected(n))
	}
	return all
}

// expected is a node of the oracle.
func expected(n generate.Node) Node {
	made := Node{ID: n.ID, Tag: n.Tag, Frame: n.Frame, Role: n.Role, Name: n.Name, Value: n.Value}
	has := map[string]string{}
	add := func(state string, on bool) {
		if on {
			has[state] = "true"
		}
	}
	add("checked", n.Checked)
	add("disabled", n.Disabled)
	add("readonly", n.Readonly)
	add("required", n.Required)
	add("selected", n.Selected)
	has["expanded"], has["pressed"] = n.Expanded, n.Pressed
	if n.Level > 0 {
		has["level"] = strconv.Itoa(n.Level)
	}
	if n.Secret {
		made.Value = ""
	}
	made.Name, made.Value = Collapse(made.Name), Collapse(made.Value)
	made.States = StatesOf(has)
	return made
}

// Sent is a request of the oracle as a server understands it.
func Sent(r *generate.Request) Request {
	url, _, _ := strings.Cut(r.URL, "#")
	path, query, _ := strings.Cut(url, "?")
	entries := r.Entries
	if r.Method == "GET" {
		entries = decode(query)
	}
	if r.Enctype == generate.PlainText {
		entries = nil
	}
	return Request{Method: r.Method, Path: path, Query: query, Enctype: r.Enctype, Body: r.Body, Entries: entries}
}
