package sim

import (
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// call is one command on the pages; their lock is held.
type call struct {
	p       *pages
	args    jsontext.Value
	session string
	profile *Profile
}

// acts are the actions that concern tabs and sessions themselves.
var acts = map[string]func(c *call) Reply{
	"navigate":   (*call).navigate,
	"tabs":       (*call).list,
	"sessions":   (*call).sessions,
	"status":     (*call).status,
	"borrow":     (*call).borrow,
	"release":    (*call).release,
	"close_tab":  (*call).closeTab,
	"switch_tab": (*call).switchTab,
}

func (p *pages) act(a *protocol.Action, s Start, profile *Profile) Reply {
	if a.Name == "close_session" {
		return p.closeSession(s.Session)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &call{p: p, args: s.Args, session: s.Session, profile: profile}
	if act, ok := acts[a.Name]; ok {
		return act(c)
	}
	t, fail := c.tab()
	if fail != nil {
		return *fail
	}
	if act, ok := onPage[a.Name]; ok {
		return act(c, t)
	}
	return Data("{}")
}

// tab returns the tab that the command addresses: args' own, else the session's
// current one.
func (c *call) tab() (*page, *Reply) {
	if id, ok := intArg(c.args, "tab"); ok {
		return c.own(id)
	}
	if h := c.p.held[c.session]; h != nil && h.current != 0 {
		return c.p.tabs[h.current], nil
	}
	if c.p.strict {
		return nil, fail(protocol.NoTab, "the session has no tab; navigate opens one")
	}
	return c.p.open(c.session, blank), nil
}

func (c *call) own(id int64) (*page, *Reply) {
	t, ok := c.p.tabs[id]
	switch {
	case !ok:
		return nil, fail(protocol.TabGone, "there is no such tab any more")
	case t.session == "":
		return nil, fail(protocol.Permission, "the tab is the person's; borrow it first")
	case t.session != c.session:
		return nil, fail(protocol.TabTaken, "another session has that tab")
	}
	return t, nil
}

func fail(code protocol.Code, message string) *Reply {
	r := Fail(code, message)
	return &r
}

func (c *call) navigate() Reply {
	url, _ := protocol.StringArg(c.args, "url")
	fresh, _ := protocol.Arg(c.args, "new_tab")
	h := c.p.held[c.session]
	_, named := intArg(c.args, "tab")
	var t *page
	switch {
	case !named && (string(fresh) == "true" || h == nil || h.current == 0):
		if h != nil && len(h.tabs) >= c.p.limit {
			return Fail(protocol.Busy, "the session has as many tabs as a session may have")
		}
		t = c.p.open(c.session, url)
	default:
		var no *Reply
		if t, no = c.tab(); no != nil {
			return *no
		}
		t.visit(url)
	}
	return object(map[string]any{"tab": t.id, "url": url, "title": t.title(), "status": 200})
}

// tabInfo is common.json's tab-info.
type tabInfo struct {
	Tab      int64  `json:"tab"`
	URL      string `json:"url"`
	Title    string `json:"title"`
	Current  bool   `json:"current"`
	Borrowed bool   `json:"borrowed"`
	Session  string `json:"session,omitempty"`
}

func (c *call) info(t *page) tabInfo {
	h := c.p.held[c.session]
	return tabInfo{t.id, t.url(), t.title(), h != nil && h.current == t.id, t.borrowed, t.session}
}

// mine answers with the session's tabs.
func (c *call) mine() Reply {
	infos := []tabInfo{}
	if h := c.p.held[c.session]; h != nil {
		for _, id := range h.tabs {
			infos = append(infos, c.info(c.p.tabs[id]))
		}
	}
	return object(map[string]any{"tabs": infos})
}

func (c *call) list() Reply {
	id, one := intArg(c.args, "tab")
	all, _ := protocol.Arg(c.args, "all")
	if !one && string(all) != "true" {
		return c.mine()
	}
	infos := []tabInfo{}
	for _, key := range sortedKeys(c.p.tabs) {
		if t := c.p.tabs[key]; !one || key == id {
			infos = append(infos, c.info(t))
		}
	}
	return object(map[string]any{"tabs": infos})
}

func (c *call) sessions() Reply {
	type info struct {
		Session string `json:"session"`
		Tabs    int    `json:"tabs"`
		Current int64  `json:"current,omitzero"`
	}
	infos := []info{}
	for _, name := range sortedKeys(c.p.held) {
		h := c.p.held[name]
		infos = append(infos, info{name, len(h.tabs), h.current})
	}
	return object(map[string]any{"sessions": infos})
}

func (c *call) status() Reply {
	tabs := 0
	for _, h := range c.p.held {
		tabs += len(h.tabs)
	}
	return object(map[string]any{
		"browser": c.profile.Browser, "browser_version": c.profile.BrowserVersion,
		"extension_version": c.profile.ExtensionVersion, "file_access": c.profile.FileAccess,
		"sessions": len(c.p.held), "tabs": tabs, "missing": []string{},
	})
}

// borrow takes a tab of the person's; without tab the first one, as the active one.
func (c *call) borrow() Reply {
	id, named := intArg(c.args, "tab")
	if !named {
		for _, key := range sortedKeys(c.p.tabs) {
			if c.p.tabs[key].session == "" {
				id = key
				break
			}
		}
	}
	t, ok := c.p.tabs[id]
	switch {
	case !ok && named:
		return Fail(protocol.TabGone, "there is no such tab any more")
	case !ok:
		return Fail(protocol.NoTab, "the person has no tab open")
	case t.session != "" && t.session != c.session:
		return Fail(protocol.TabTaken, "another session has that tab")
	}
	if h := c.p.hold(c.session); t.session == "" {
		if len(h.tabs) >= c.p.limit {
			return Fail(protocol.Busy, "the session has as many tabs as a session may have")
		}
		t.session, t.borrowed = c.session, true
		h.tabs, h.current = append(h.tabs, id), id
	}
	return c.mine()
}

func (c *call) release() Reply {
	t, no := c.tab()
	if no != nil {
		return *no
	}
	if !t.borrowed {
		return Fail(protocol.BadRequest, "the session opened that tab itself; close_tab closes it")
	}
	c.p.leave(t)
	return c.mine()
}

func (c *call) closeTab() Reply {
	t, no := c.tab()
	if no != nil {
		return *no
	}
	c.p.leave(t)
	delete(c.p.tabs, t.id)
	return c.mine()
}

func (c *call) switchTab() Reply {
	t, no := c.tab()
	if no != nil {
		return *no
	}
	c.p.held[c.session].current = t.id
	return c.mine()
}

// object succeeds with v as JSON.
func object(v any) Reply {
	data, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return Fail(protocol.Internal, "the simulated browser failed to write its data")
	}
	return Data(string(data))
}

func sortedKeys[K ~int64 | ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
