package main

import (
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// expected is a node of the oracle.
func expected(n generate.Node) node {
	made := node{ID: n.ID, Tag: n.Tag, Frame: n.Frame, Role: n.Role, Name: n.Name, Value: n.Value}
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
	made.Value = collapse(made.Value)
	made.States = statesOf(has)
	return made
}

// sent is a request of the oracle as a server understands it.
func sent(r *generate.Request) request {
	url, _, _ := strings.Cut(r.URL, "#")
	path, query, _ := strings.Cut(url, "?")
	entries := r.Entries
	if r.Method == "GET" {
		entries = decode(query)
	}
	if r.Enctype == generate.PlainText {
		entries = nil
	}
	return request{Method: r.Method, Path: path, Query: query, Enctype: r.Enctype, Body: r.Body, Entries: entries}
}
