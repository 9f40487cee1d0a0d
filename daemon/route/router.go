package route

import (
	"log/slog"
	"maps"
	"sync"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Router holds the links and the bindings. Its methods may be called at any
// time from any goroutine.
type Router struct {
	limits protocol.Limits
	log    *slog.Logger
	store  *store

	mu       sync.Mutex
	places   map[protocol.Browser]*Place
	links    map[protocol.Browser]*browser.Link
	bindings map[string]binding
	// changes counts the changes of bindings; the store has saved all up to some.
	changes uint64
	closed  *Farewell
}

// binding says which browser a session belongs to since which change.
type binding struct {
	browser protocol.Browser
	since   uint64
}

// Farewell is why all links end: a close code and a reason.
type Farewell struct {
	Code   websocket.StatusCode
	Reason string
}

// New returns a router that begins with those bindings and saves every change
// by save, which is never called twice at a time.
func New(l protocol.Limits, log *slog.Logger, begin map[string]protocol.Browser, save func(map[string]protocol.Browser) error) *Router {
	r := &Router{
		limits: l, log: log, store: newStore(save),
		places:   map[protocol.Browser]*Place{},
		links:    map[protocol.Browser]*browser.Link{},
		bindings: map[string]binding{},
	}
	for session, b := range begin {
		r.bindings[session] = binding{browser: b}
	}
	return r
}

// Place is the one place that a browser has for its connection, taken before
// the upgrade so that a second connection is refused with 409 (ROUTE-02).
type Place struct {
	router  *Router
	browser protocol.Browser
	link    *browser.Link
}

// Reserve takes the browser's place, or is refused with conflict while another
// connection has it.
func (r *Router) Reserve(b protocol.Browser) (*Place, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.free(b); err != nil {
		return nil, err
	}
	p := &Place{router: r, browser: b}
	r.places[b] = p
	return p, nil
}

// Free reports what Reserve would: nil, or a conflict. It takes no place.
func (r *Router) Free(b protocol.Browser) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.free(b)
}

func (r *Router) free(b protocol.Browser) error {
	if r.closed != nil {
		return protocol.Errorf(protocol.NotConnected, "%s", r.closed.Reason)
	}
	if r.places[b] != nil {
		return protocol.Errorf(protocol.Conflict, "another %s is connected already, and one is the most; "+
			"close it, or disconnect its extension", b.Title())
	}
	return nil
}

// Leave gives the place back. Commands find the browser not connected from
// then on.
func (p *Place) Leave() {
	r := p.router
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.places[p.browser] == p {
		delete(r.places, p.browser)
		delete(r.links, p.browser)
	}
}

// Hold tells the place which link was made in it, so that a farewell reaches
// links that have not said hello yet.
func (p *Place) Hold(l *browser.Link) {
	r := p.router
	r.mu.Lock()
	p.link = l
	closed := r.closed
	r.mu.Unlock()
	if closed != nil {
		l.Close(closed.Code, closed.Reason)
	}
}

// Connect lets commands reach the place's link, whose hello has come. The
// welcome is queued before the first of them. It adopts the sessions that hello
// names and drops this browser's bindings that it does not name (ROUTE-07). A
// link that ended meanwhile has left its place and changes nothing.
func (p *Place) Connect(l *browser.Link, welcome []byte) {
	r := p.router
	r.mu.Lock()
	if r.places[p.browser] != p {
		r.mu.Unlock()
		return
	}
	r.adopt(p.browser, l.Hello().Sessions)
	l.Send(welcome)
	r.links[p.browser] = l
	change := r.changes
	r.mu.Unlock()
	if err := r.save(change); err != nil {
		r.log.Error("bindings not saved", "error", err)
	}
}

// adopt is called with mu held.
func (r *Router) adopt(b protocol.Browser, sessions []string) {
	named := make(map[string]bool, len(sessions))
	for _, session := range sessions {
		named[session] = true
	}
	for session, was := range r.bindings {
		if was.browser == b && !named[session] {
			delete(r.bindings, session)
			r.changes++
		}
	}
	left := r.limits.Sessions - r.count(b)
	var unfit, over int
	for _, session := range sessions {
		_, bound := r.bindings[session]
		switch {
		case bound:
		case protocol.CheckSession(session, r.limits) != nil:
			unfit++
		case left <= 0:
			over++
		default:
			left--
			r.changes++
			r.bindings[session] = binding{browser: b, since: r.changes}
		}
	}
	if unfit > 0 || over > 0 {
		r.log.Warn("hello names sessions that are ignored", "browser", string(b), "no_names", unfit, "too_many", over)
	}
}

// count returns how many sessions the browser has; mu is held.
func (r *Router) count(b protocol.Browser) (n int) {
	for _, bound := range r.bindings {
		if bound.browser == b {
			n++
		}
	}
	return n
}

// Links returns the connected links by browser.
func (r *Router) Links() map[protocol.Browser]*browser.Link {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.links)
}

// Bindings returns which browser each bound session belongs to.
func (r *Router) Bindings() map[string]protocol.Browser {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot()
}

func (r *Router) snapshot() map[string]protocol.Browser {
	out := make(map[string]protocol.Browser, len(r.bindings))
	for session, bound := range r.bindings {
		out[session] = bound.browser
	}
	return out
}

// Disconnect ends every link with that farewell. New ones may come.
func (r *Router) Disconnect(f Farewell) {
	for _, l := range r.held() {
		l.Close(f.Code, f.Reason)
	}
}

// Shutdown ends every link with that farewell and lets no new one come.
func (r *Router) Shutdown(f Farewell) {
	r.mu.Lock()
	r.closed = &f
	r.mu.Unlock()
	r.Disconnect(f)
}

func (r *Router) held() []*browser.Link {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []*browser.Link
	for _, p := range r.places {
		if p.link != nil {
			out = append(out, p.link)
		}
	}
	return out
}
