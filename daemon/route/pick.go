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
