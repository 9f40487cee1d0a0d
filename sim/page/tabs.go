package page

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Tabs are the tabs of a browser and whose they are. They outlive a connection of
// the extension, as a browser's do. Their methods may be called by several
// goroutines.
type Tabs struct {
	cfg   Config
	rules []rule

	mu      sync.Mutex
	next    int64
	tabs    map[int64]*tab
	held    map[string]*holding
	effects []Effect
	counted int
	jar     jar
	files   downloads
}

// holding is what a session has.
type holding struct {
	// tabs are in the order in which they came to it.
	tabs    []int64
	current int64
	refs    references
}

// New returns the tabs that cfg names, none of which has loaded anything yet. A
// rule that Rule.Check refuses is left out.
func New(cfg Config) *Tabs {
	if cfg.Limits.Tabs == 0 {
		cfg.Limits.Tabs = protocol.DefaultExtensionLimits().Tabs
	}
	t := &Tabs{cfg: cfg, tabs: map[int64]*tab{}, held: map[string]*holding{}}
	for _, r := range cfg.Rules {
		if one, err := r.compile(); err == nil {
			t.rules = append(t.rules, one)
		}
	}
	for _, url := range cfg.PersonTabs {
		t.open("", url)
	}
	for _, name := range cfg.Sessions {
		t.open(name, blank)
	}
	return t
}

// Sessions returns the names of the sessions that are held, sorted.
func (t *Tabs) Sessions() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Sorted(maps.Keys(t.held))
}

// Begin makes the session one that the extension holds.
func (t *Tabs) Begin(session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.hold(session)
}

// CloseSession closes the tabs that the session opened, gives back those it
// borrowed, and forgets it (TAB-03). An open dialog is dismissed by it.
func (t *Tabs) CloseSession(name string) Result {
	c := &call{t: t, ctx: context.Background(), session: name, action: "close_session"}
	t.mu.Lock()
	defer t.mu.Unlock()
	return c.result(c.closeSession())
}

// CloseTab closes a tab as the person does, whoever has it; false if there is no
// such tab.
func (t *Tabs) CloseTab(id int64) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	b, ok := t.tabs[id]
	if ok {
		t.drop(b)
	}
	return ok
}

// open opens a tab and makes it the session's current one. t.mu is held, or t is
// new.
func (t *Tabs) open(session, url string) *tab {
	t.next++
	b := newTab(t.next, session, url)
	t.tabs[b.id] = b
	if session != "" {
		h := t.hold(session)
		h.tabs, h.current = append(h.tabs, b.id), b.id
	}
	return b
}

func (t *Tabs) hold(session string) *holding {
	h := t.held[session]
	if h == nil {
		h = &holding{}
		t.held[session] = h
	}
	return h
}

// leave takes a tab from its session.
func (t *Tabs) leave(b *tab) {
	h := t.held[b.session]
	if h == nil {
		return
	}
	h.tabs = slices.DeleteFunc(h.tabs, func(id int64) bool { return id == b.id })
	if h.current == b.id {
		h.current = 0
		if n := len(h.tabs); n > 0 {
			h.current = h.tabs[n-1]
		}
	}
	b.session, b.borrowed, b.frame, b.frameName = "", false, nil, ""
}

// drop closes a tab.
func (t *Tabs) drop(b *tab) {
	t.leave(b)
	b.closed, b.dialog = true, nil
	delete(t.tabs, b.id)
}
