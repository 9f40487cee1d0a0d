package page

import (
	"slices"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ofTabs are the actions that concern tabs and sessions themselves.
var ofTabs map[string]func(c *call) (any, error)

func init() {
	ofTabs = map[string]func(c *call) (any, error){
		"navigate":   (*call).navigate,
		"tabs":       (*call).list,
		"sessions":   (*call).sessions,
		"status":     (*call).status,
		"borrow":     (*call).borrow,
		"release":    (*call).release,
		"close_tab":  (*call).closeTab,
		"switch_tab": (*call).switchTab,
		"cdp_detach": func(*call) (any, error) { return struct{}{}, nil },
	}
}

// tab returns the tab that the command addresses: args' own, else the session's
// current one.
func (c *call) tab() (*tab, error) {
	if id, ok := c.int64("tab"); ok {
		return c.own(id)
	}
	if h := c.t.held[c.session]; h != nil && h.current != 0 {
		return c.t.tabs[h.current], nil
	}
	if c.t.cfg.StrictTabs {
		return nil, fail(protocol.NoTab, "the session has no tab; navigate opens one")
	}
	return c.t.open(c.session, blank), nil
}

func (c *call) own(id int64) (*tab, error) {
	b, ok := c.t.tabs[id]
	switch {
	case !ok:
		return nil, fail(protocol.TabGone, "there is no such tab any more")
	case b.session == "":
		return nil, fail(protocol.Permission, "the tab is the person's; borrow it first")
	case b.session != c.session:
		return nil, fail(protocol.TabTaken, "another session has that tab")
	}
	return b, nil
}

var errTabs = protocol.Errorf(protocol.Busy, "the session has as many tabs as a session may have")

// full reports whether the session has all the tabs that it may have (LIMIT-06).
func (c *call) full() bool {
	h := c.t.held[c.session]
	return h != nil && len(h.tabs) >= c.t.cfg.Limits.Tabs
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

func (c *call) info(b *tab) tabInfo {
	h := c.t.held[c.session]
	return tabInfo{b.id, b.url(), b.title(), h != nil && h.current == b.id, b.borrowed, b.session}
}

type tabInfos struct {
	Tabs []tabInfo `json:"tabs"`
}

// mine answers with the session's tabs.
func (c *call) mine() (any, error) {
	infos := []tabInfo{}
	if h := c.t.held[c.session]; h != nil {
		for _, id := range h.tabs {
			infos = append(infos, c.info(c.t.tabs[id]))
		}
	}
	return tabInfos{infos}, nil
}

func (c *call) list() (any, error) {
	id, one := c.int64("tab")
	if !one && !c.flag("all") {
		return c.mine()
	}
	infos := []tabInfo{}
	for _, key := range sortedKeys(c.t.tabs) {
		if b := c.t.tabs[key]; !one || key == id {
			infos = append(infos, c.info(b))
		}
	}
	return tabInfos{infos}, nil
}

func (c *call) sessions() (any, error) {
	type info struct {
		Session string `json:"session"`
		Tabs    int    `json:"tabs"`
		Current int64  `json:"current,omitzero"`
	}
	infos := []info{}
	for _, name := range sortedKeys(c.t.held) {
		h := c.t.held[name]
		infos = append(infos, info{name, len(h.tabs), h.current})
	}
	return map[string]any{"sessions": infos}, nil
}

func (c *call) status() (any, error) {
	tabs := 0
	for _, h := range c.t.held {
		tabs += len(h.tabs)
	}
	b := c.t.cfg.Browser
	return map[string]any{
		"browser": b.Name, "browser_version": b.Version, "extension_version": b.ExtensionVersion, "file_access": b.FileAccess,
		"sessions": len(c.t.held), "tabs": tabs, "missing": []string{},
	}, nil
}

// borrow takes a tab of the person's; without tab the first one, as the active one.
func (c *call) borrow() (any, error) {
	id, named := c.int64("tab")
	if !named {
		for _, key := range sortedKeys(c.t.tabs) {
			if c.t.tabs[key].session == "" {
				id = key
				break
			}
		}
	}
	b, ok := c.t.tabs[id]
	switch {
	case !ok && named:
		return nil, fail(protocol.TabGone, "there is no such tab any more")
	case !ok:
		return nil, fail(protocol.NoTab, "the person has no tab open")
	case b.session != "" && b.session != c.session:
		return nil, fail(protocol.TabTaken, "another session has that tab")
	}
	if h := c.t.hold(c.session); b.session == "" {
		if c.full() {
			return nil, errTabs
		}
		b.session, b.borrowed = c.session, true
		h.tabs, h.current = append(h.tabs, id), id
	}
	return c.mine()
}

func (c *call) release() (any, error) {
	b, err := c.tab()
	if err != nil {
		return nil, err
	}
	if !b.borrowed {
		return nil, fail(protocol.BadRequest, "the session opened that tab itself; close_tab closes it")
	}
	// The dialog would be dead for everybody once nobody is attached.
	c.dismiss(b)
	c.t.leave(b)
	return c.mine()
}

func (c *call) closeTab() (any, error) {
	b, err := c.tab()
	if err != nil {
		return nil, err
	}
	if err := c.noDialog(b); err != nil {
		return nil, err
	}
	c.t.effect(b, "tab_closed", b.url(), "")
	c.t.drop(b)
	return c.mine()
}

func (c *call) switchTab() (any, error) {
	b, err := c.tab()
	if err != nil {
		return nil, err
	}
	if err := c.noDialog(b); err != nil {
		return nil, err
	}
	c.t.held[c.session].current = b.id
	return c.mine()
}

func (c *call) closeSession() (any, error) {
	closed, released := []int64{}, []int64{}
	if h := c.t.held[c.session]; h != nil {
		for _, id := range slices.Clone(h.tabs) {
			b := c.t.tabs[id]
			c.dismiss(b)
			if b.borrowed {
				released = append(released, id)
				c.t.leave(b)
				continue
			}
			closed = append(closed, id)
			c.t.drop(b)
		}
		delete(c.t.held, c.session)
	}
	return map[string]any{"closed": closed, "released": released}, nil
}

func sortedKeys[K ~int64 | ~string, V any](m map[K]V) []K {
	keys := make([]K, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
