package gate_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	token     = "0123456789abcdefghijklmnopqrstuvwxyz-_ABCDE"
	chromeExt = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
	mozExt    = "moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b"
)

var routes = []gate.Route{
	{Path: "/ping", Methods: []string{"GET"}, Open: true, Extension: true},
	{Path: "/pair", Methods: []string{"POST"}, Open: true, Extension: true, NeedsOrigin: true, JSON: true},
	{Path: "/extension", Methods: []string{"GET", "POST"}, Extension: true, NeedsOrigin: true, Subprotocol: true},
	{Path: "/command", Methods: []string{"POST"}, JSON: true},
	{Path: "/json", Methods: []string{"GET"}},
	{Path: "/json/version", Slash: true, Methods: []string{"GET"}},
	{Path: "/devtools/page/", Methods: []string{"GET"}},
}

// answer is what the gate made of a request.
type answer struct {
	visitor gate.Visitor
	err     *protocol.Error
	header  http.Header
}

// status is the status that the HTTP layer would answer: 200 stands for let in.
func (a answer) status() int {
	switch {
	case a.err != nil:
		return a.err.Code.Status()
	case a.visitor.Preflight:
		return http.StatusNoContent
	}
	return http.StatusOK
}

// admit sends a request as it stands on the wire, its lines separated by \n.
func admit(t testing.TB, lines ...string) answer {
	t.Helper()
	return admitBy(t, gate.New(routes, func() string { return token }), lines...)
}

func admitBy(t testing.TB, g *gate.Gate, lines ...string) answer {
	t.Helper()
	raw := strings.Join(lines, "\r\n") + "\r\n\r\n"
	r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(raw)))
	require.NoError(t, err, raw)
	w := httptest.NewRecorder()
	v, e := g.Admit(w, r)
	if e != nil {
		require.Equal(t, protocol.DeliveredNo, e.Delivered)
		require.NotContains(t, e.Message, token)
	}
	for _, name := range []string{"X-Content-Type-Options", "Cache-Control", "Cross-Origin-Resource-Policy"} {
		require.Len(t, w.Header()[name], 1, "%s of every answer", name)
	}
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	require.Equal(t, "no-store", w.Header().Get("Cache-Control"))
	require.Equal(t, "same-origin", w.Header().Get("Cross-Origin-Resource-Policy"))
	require.NotContains(t, w.Header(), "Access-Control-Allow-Credentials")
	return answer{v, e, w.Header()}
}

func allowHeaders(h http.Header) []string {
	var found []string
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") {
			found = append(found, name)
		}
	}
	return found
}

const (
	host   = "Host: 127.0.0.1:17373"
	bearer = "Authorization: Bearer " + token
)
