package gate_test

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"

	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

var (
	goodHost   = regexp.MustCompile(`\A127\.0\.0\.1(:([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5]))?\z`)
	chromeLike = regexp.MustCompile(`\Achrome-extension://[a-p]{32}\z`)
	mozLike    = regexp.MustCompile(`\Amoz-extension://[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\z`)
)

func FuzzHost(f *testing.F) {
	for _, s := range []string{
		"127.0.0.1", "127.0.0.1:17373", "127.0.0.1:65535", "127.0.0.1:65536", "127.0.0.1:0", "127.0.0.1:", "127.0.0.1:017373",
		"localhost", "[::1]:17373", "127.1", "127.0.0.1.", "", "127.0.0.1:80\n", "127.0.0.1@x", "0x7f000001",
	} {
		f.Add(s)
	}
	g := gate.New(routes, func() string { return token })
	f.Fuzz(func(t *testing.T, host string) {
		r := httptest.NewRequest(http.MethodGet, "/ping", nil)
		r.Host = host
		_, err := g.Admit(httptest.NewRecorder(), r)
		if want := goodHost.MatchString(host); (err == nil) != want {
			t.Fatalf("Host %q: %v, want let in: %v", host, err, want)
		}
	})
}

func FuzzOrigin(f *testing.F) {
	for origin := range origins {
		f.Add(origin)
	}
	for _, origin := range strangers {
		f.Add(origin)
	}
	g := gate.New(routes, func() string { return token })
	f.Fuzz(func(t *testing.T, origin string) {
		want := protocol.Browser("")
		switch {
		case chromeLike.MatchString(origin):
			want = protocol.Chrome
		case mozLike.MatchString(origin):
			want = protocol.Firefox
		}
		r := httptest.NewRequest(http.MethodGet, "/ping", nil)
		r.Host, r.Header["Origin"] = "127.0.0.1", []string{origin}
		w := httptest.NewRecorder()
		v, err := g.Admit(w, r)
		if v.Browser != want || (err == nil) != (want != "") {
			t.Fatalf("Origin %q: %q, %v, want %q", origin, v.Browser, err, want)
		}
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != v.Origin || (want != "" && got != origin) {
			t.Fatalf("Origin %q: allowed %q", origin, got)
		}
	})
}
