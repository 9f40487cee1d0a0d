package main

import (
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// tabList is a tab a line: its id, its URL, its title, and what is to be known of it.
func tabList(b *strings.Builder, tabs []client.TabInfo) {
	for _, t := range tabs {
		fmt.Fprintf(b, "%d %s %q", t.Tab, oneLine(t.URL), t.Title)
		for _, is := range []struct {
			it   bool
			word string
		}{{t.Current, "current"}, {t.Active, "active"}, {t.Borrowed, "borrowed"}, {t.Session != "", "session=" + quoteWord(t.Session)}} {
			if is.it {
				b.WriteString(" " + is.word)
			}
		}
		b.WriteString("\n")
	}
	if len(tabs) == 0 {
		b.WriteString("no tabs\n")
	}
}

// closedText is what became of the tabs of a session.
func closedText(b *strings.Builder, d client.CloseSessionData) {
	fmt.Fprintf(b, "closed: %s\n", ids(d.Closed))
	if len(d.Released) > 0 {
		fmt.Fprintf(b, "released: %s\n", ids(d.Released))
	}
}

func ids(tabs []int64) string {
	if len(tabs) == 0 {
		return "no tabs"
	}
	return "tab " + strings.Trim(strings.ReplaceAll(fmt.Sprint(tabs), " ", ", "), "[]")
}

func sessionList(b *strings.Builder, d client.SessionsData) {
	for _, s := range d.Sessions {
		b.WriteString(quoteWord(s.Session))
		for _, n := range []struct {
			name string
			n    *int64
		}{{"tabs", s.Tabs}, {"current", s.Current}, {"waiting", s.Waiting}} {
			if n.n != nil {
				fmt.Fprintf(b, " %s=%d", n.name, *n.n)
			}
		}
		b.WriteString("\n")
	}
	if len(d.Sessions) == 0 {
		b.WriteString("no sessions\n")
	}
}
