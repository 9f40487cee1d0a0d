package sim

import (
	"maps"
	"slices"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// pages are the tabs of the simulated browser and whose they are, roughly: no
// page is loaded. They outlive a connection, as a browser's do.
type pages struct {
	limit  int
	strict bool

	mu   sync.Mutex
	next int64
	tabs map[int64]*page
	held map[string]*holding
}

// page is one tab.
type page struct {
	id      int64
	history []string
	at      int
	// session has it; "" is the person's.
	session  string
	borrowed bool
	rules    map[string]string
}

// holding is what a session has.
type holding struct {
	// tabs are in the order in which they came to it.
	tabs    []int64
	current int64
	frame   string
}

func newPages(person, sessions []string, strict bool, limit int) *pages {
	p := &pages{limit: limit, strict: strict, tabs: map[int64]*page{}, held: map[string]*holding{}}
	for _, url := range person {
		p.open("", url)
	}
	for _, name := range sessions {
		p.open(name, blank)
	}
	return p
}

const blank = "about:blank"

func (p *pages) sessions() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.held))
}

// open opens a tab and makes it the session's current one. p.mu is held, or p new.
func (p *pages) open(session, url string) *page {
	p.next++
	t := &page{id: p.next, history: []string{url}, session: session, rules: map[string]string{}}
	p.tabs[t.id] = t
	if session != "" {
		h := p.hold(session)
		h.tabs, h.current = append(h.tabs, t.id), t.id
	}
	return t
}

// begin makes the session one that the extension holds.
func (p *pages) begin(session string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hold(session)
}

func (p *pages) hold(session string) *holding {
	h := p.held[session]
	if h == nil {
		h = &holding{}
		p.held[session] = h
	}
	return h
}

// leave takes t from its session. p.mu is held.
func (p *pages) leave(t *page) {
	h := p.held[t.session]
	if h == nil {
		return
	}
	h.tabs = slices.DeleteFunc(h.tabs, func(id int64) bool { return id == t.id })
	if h.current == t.id {
		h.current = 0
		if n := len(h.tabs); n > 0 {
			h.current = h.tabs[n-1]
		}
	}
	t.session, t.borrowed = "", false
}

// closeSession closes the tabs that the session opened, gives back those it
// borrowed, and forgets it (TAB-03).
func (p *pages) closeSession(name string) Reply {
	p.mu.Lock()
	defer p.mu.Unlock()
	closed, released := []int64{}, []int64{}
	if h := p.held[name]; h != nil {
		for _, id := range slices.Clone(h.tabs) {
			t := p.tabs[id]
			if borrowed := t.borrowed; borrowed {
				released = append(released, id)
			} else {
				closed = append(closed, id)
				delete(p.tabs, id)
			}
			p.leave(t)
		}
		delete(p.held, name)
	}
	return object(map[string]any{"closed": closed, "released": released})
}

func (t *page) url() string { return t.history[t.at] }

func (t *page) title() string {
	if t.url() == blank {
		return ""
	}
	return "Page at " + t.url()
}

func (t *page) visit(url string) {
	t.history = append(t.history[:t.at+1:t.at+1], url)
	t.at++
}

// CloseTab closes a tab as the person does, whoever has it; false if there is
// no such tab.
func (b *Browser) CloseTab(id int64) bool {
	b.pages.mu.Lock()
	defer b.pages.mu.Unlock()
	t, ok := b.pages.tabs[id]
	if ok {
		b.pages.leave(t)
		delete(b.pages.tabs, id)
	}
	return ok
}

// perform is what the simulated browser makes of a started command.
func (b *Browser) perform(t *task) Reply {
	action, ok := protocol.LookupAction(t.start.Action)
	if !ok {
		return Fail(protocol.BadRequest, "the extension knows no action of that name")
	}
	return b.pages.act(action, t.start, &b.profile)
}
