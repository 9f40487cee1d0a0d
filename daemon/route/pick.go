package route

import (
	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Pick returns the link that a command goes to: the browser that it names
// (ROUTE-04), else its session's (ROUTE-05), else the first that is connected
// (ROUTE-08). It fails at once when that browser is not connected (ROUTE-11),
// and binds nothing.
func (r *Router) Pick(c protocol.Command) (*browser.Link, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	want := c.Browser
	if c.Action.ChromeOnly {
		if want == protocol.Firefox {
			return nil, protocol.Errorf(protocol.Unsupported, "%s needs Chrome: Firefox's extension APIs have no equivalent", c.Action.Name)
		}
		want = protocol.Chrome
	}
	if bound, ok := r.bindings[c.Session]; ok {
		if want != "" && want != bound.browser {
			return nil, bound.elsewhere(c, want)
		}
		want = bound.browser
	}
	if want == "" {
		return r.first()
	}
	if l := r.links[want]; l != nil {
		return l, nil
	}
	if c.Action.ChromeOnly {
		return nil, protocol.Errorf(protocol.NotConnected, "%s needs Chrome, whose extension is not connected; start Chrome, "+
			"or open its extension to see why", c.Action.Name)
	}
	return nil, protocol.Errorf(protocol.NotConnected, "%s's extension is not connected; start the browser, "+
		"or open its extension to see why", want.Title())
}

// first is called with mu held.
func (r *Router) first() (*browser.Link, error) {
	for _, b := range protocol.Browsers {
		if l := r.links[b]; l != nil {
			return l, nil
		}
	}
	return nil, protocol.Errorf(protocol.NotConnected, "no browser is connected; start Chrome or Firefox with the extension, "+
		"and pair it by omw pair if it is new")
}

func (b binding) elsewhere(c protocol.Command, want protocol.Browser) *protocol.Error {
	return protocol.Errorf(protocol.SessionBound, "session %q belongs to %s; use another session for %s, or close this one first",
		c.Session, b.browser.Title(), want.Title())
}

// Bound reports whether the session is bound.
func (r *Router) Bound(session string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.bindings[session]
	return ok
}

// Bind binds the command's session to the browser and returns when that is
// saved, so that the frame goes out after it (ROUTE-05). A session that is
// bound there already costs nothing. It fails with session_bound when another
// command has bound the session to the other browser meanwhile, with busy when
// the browser has its sessions (LIMIT-05), and with file_error when the
// binding cannot be saved; then nothing is bound.
func (r *Router) Bind(c protocol.Command, b protocol.Browser) error {
	r.mu.Lock()
	bound, ok := r.bindings[c.Session]
	switch {
	case ok && bound.browser != b:
		r.mu.Unlock()
		return bound.elsewhere(c, b)
	case !ok && r.count(b) >= r.limits.Sessions:
		r.mu.Unlock()
		return protocol.Errorf(protocol.Busy, "%s has %d sessions, which is the most; close one", b.Title(), r.limits.Sessions)
	case !ok:
		r.changes++
		bound = binding{browser: b, since: r.changes}
		r.bindings[c.Session] = bound
	}
	r.mu.Unlock()

	if err := r.save(bound.since); err != nil {
		r.mu.Lock()
		if r.bindings[c.Session] == bound {
			delete(r.bindings, c.Session)
		}
		r.mu.Unlock()
		r.log.Error("binding not saved", "error", err)
		return protocol.Errorf(protocol.FileError, "the session's binding cannot be saved in the config directory (%s); "+
			"make room or make it writable", cause(err))
	}
	return nil
}

// Unbind drops a session's binding after its close_session succeeded, unless
// another command of the session is on its way and begins it anew.
func (r *Router) Unbind(session string, l *browser.Link, closing *browser.Call) {
	r.mu.Lock()
	if bound, ok := r.bindings[session]; !ok || bound.browser != l.Browser() || l.SentSince(session, closing) {
		r.mu.Unlock()
		return
	}
	delete(r.bindings, session)
	r.changes++
	change := r.changes
	r.mu.Unlock()
	if err := r.save(change); err != nil {
		r.log.Error("bindings not saved", "error", err)
	}
}

// save returns when every change up to that one is saved.
func (r *Router) save(change uint64) error {
	return r.store.save(change, func() (map[string]protocol.Browser, uint64) {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.snapshot(), r.changes
	})
}
