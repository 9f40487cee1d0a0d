package route_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestWhichBrowserACommandGoesTo(t *testing.T) {
	const none, chrome, firefox = "", protocol.Chrome, protocol.Firefox
	for _, tc := range []struct {
		name      string
		connected string // which browsers are
		bound     protocol.Browser
		named     protocol.Browser
		action    string
		to        protocol.Browser
		code      protocol.Code
		says      string
	}{
		{"nobody is there", "", none, none, "click", "", protocol.NotConnected, "no browser is connected"},
		{"Chrome comes first", "chrome firefox", none, none, "click", chrome, "", ""},
		{"Firefox without Chrome", "firefox", none, none, "click", firefox, "", ""},
		{"the one that is named", "chrome firefox", none, firefox, "click", firefox, "", ""},
		{"the one that is named is not there", "firefox", none, chrome, "click", "", protocol.NotConnected, "Chrome's extension is not connected"},
		{"the session's", "chrome firefox", firefox, none, "click", firefox, "", ""},
		{"the session's by name", "chrome firefox", firefox, firefox, "click", firefox, "", ""},
		{"the session's is not there", "chrome", firefox, none, "click", "", protocol.NotConnected, "Firefox's extension is not connected"},
		{"the session is the other's", "chrome firefox", firefox, chrome, "click", "", protocol.SessionBound, "belongs to Firefox"},
		{"the session is the other's, and nobody is there", "", firefox, chrome, "click", "", protocol.SessionBound, "belongs to Firefox"},
		{"what binds nothing goes the same way", "chrome firefox", firefox, none, "tabs", firefox, "", ""},
		{"raw cdp, with both", "chrome firefox", none, none, "cdp", chrome, "", ""},
		{"raw cdp, with Firefox alone", "firefox", none, none, "cdp", "", protocol.NotConnected, "cdp needs Chrome, whose extension is not connected"},
		{"raw cdp for Firefox", "chrome firefox", none, firefox, "cdp", "", protocol.Unsupported, "cdp needs Chrome"},
		{"raw cdp for Firefox, without it", "", none, firefox, "cdp", "", protocol.Unsupported, "cdp needs Chrome"},
		{"raw cdp in a session of Firefox", "chrome firefox", firefox, none, "cdp", "", protocol.SessionBound, "belongs to Firefox"},
		{"raw cdp in a session of Chrome", "chrome firefox", chrome, none, "cdp", chrome, "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			begin := bindings{}
			if tc.bound != "" {
				begin["shop"] = tc.bound
			}
			bubble(t, begin, func(t *testing.T, s *scene) {
				for _, b := range protocol.Browsers {
					if strings.Contains(tc.connected, string(b)) {
						s.connect(b, held(begin, b)...)
					}
				}
				l, err := s.router.Pick(command(tc.action, "shop", tc.named))
				if tc.code == "" {
					require.NoError(t, err)
					require.Equal(t, tc.to, l.Browser())
				} else {
					e := protocol.AsError(err)
					require.Equal(t, tc.code, e.Code)
					require.Equal(t, protocol.DeliveredNo, e.Delivered)
					require.Contains(t, e.Message, tc.says)
				}
				require.Equal(t, begin, s.router.Bindings(), "to pick binds nothing")
			})
		})
	}
}

// held returns the sessions of b.
func held(all bindings, b protocol.Browser) []string {
	sessions := []string{}
	for session, of := range all {
		if of == b {
			sessions = append(sessions, session)
		}
	}
	return sessions
}
