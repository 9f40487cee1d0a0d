package route

import (
	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Bind binds the command's session to the browser and returns when that is
// saved, so that the frame goes out after it (ROUTE-05). A session that is
// bound there already costs nothing. It fails with session_bound when another
// command has bound the session to the other browser meanwhile, with busy when
// the browser has its sessions (LIMIT-05), and with file_error when the
// binding cannot be saved; then nothing is bound.
func (r *Router) Bind(c protocol.Command, b protocol.Browser) error {
	for {
		bound, begun, err := r.begin(c, b)
		if err != nil {
			return err
		}
		if r.store.has(bound.since) {
			return nil
		}
		undo := func() {}
		if begun {
			undo = func() { r.takeBack(c.Session, bound) }
		}
		if err := r.store.save(bound.since, r.now, undo); err != nil {
			r.log.Error("binding not saved", "error", err)
			return protocol.Errorf(protocol.FileError, "the session's binding cannot be saved in the config directory (%s); "+
				"make room or make it writable", cause(err))
		}
		// The command that began the binding may have failed to save it and
		// taken it back, while this one waited to save it.
		if r.holds(c.Session, bound) {
			return nil
		}
	}
}

// begin returns the session's binding to that browser, which it begins if there
// is none.
func (r *Router) begin(c protocol.Command, b protocol.Browser) (bound binding, begun bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	bound, ok := r.bindings[c.Session]
	switch {
	case ok && bound.browser != b:
		return bound, false, bound.elsewhere(c, b)
	case ok:
		return bound, false, nil
	case r.count(b) >= r.limits.Sessions:
		return bound, false, protocol.Errorf(protocol.Busy, "%s has %d sessions, which is the most; close one", b.Title(), r.limits.Sessions)
	}
	r.changes++
	bound = binding{browser: b, since: r.changes}
	r.bindings[c.Session] = bound
	return bound, true, nil
}

func (r *Router) takeBack(session string, bound binding) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.bindings[session] == bound {
		delete(r.bindings, session)
	}
}

func (r *Router) holds(session string, bound binding) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.bindings[session] == bound
}

// Bound reports whether the session is bound.
func (r *Router) Bound(session string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, ok := r.bindings[session]
	return ok
}

// Unbind drops the binding of a session whose close_session, closing, has
// succeeded, unless a later command begins it anew.
func (r *Router) Unbind(session string, closing *browser.Call) {
	l := closing.Link()
	r.mu.Lock()
	if bound, ok := r.bindings[session]; !ok || bound.browser != l.Browser() || !l.EndedBy(closing) {
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
	return r.store.save(change, r.now, func() {})
}

// now returns the bindings and their last change.
func (r *Router) now() (map[string]protocol.Browser, uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.snapshot(), r.changes
}
