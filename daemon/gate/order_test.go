package gate_test

import (
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/gate"
)

// Each request breaks everything from one check on; what it breaks first decides.
func TestOrderOfChecks(t *testing.T) {
	wrongType := "Content-Type: text/plain"
	for _, c := range []struct {
		name   string
		status int
		lines  []string
	}{
		{"host", 403, []string{"PUT /nowhere HTTP/1.1", "Host: localhost", "Origin: https://evil.example", wrongType}},
		{"origin", 403, []string{"PUT /nowhere HTTP/1.1", host, "Origin: https://evil.example", wrongType}},
		{"token", 401, []string{"PUT /nowhere HTTP/1.1", host, wrongType}},
		{"path", 404, []string{"PUT /nowhere HTTP/1.1", host, bearer, wrongType}},
		{"token of a known path", 401, []string{"PUT /command HTTP/1.1", host, wrongType}},
		{"method", 405, []string{"PUT /command HTTP/1.1", host, bearer, wrongType}},
		{"media type", 415, []string{"POST /command HTTP/1.1", host, bearer, wrongType}},
		{"nothing", 200, []string{"POST /command HTTP/1.1", host, bearer}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.status, admit(t, c.lines...).status()) })
	}
}

func TestMethodNotAllowed(t *testing.T) {
	for target, allow := range map[string]string{
		"GET /command": "POST", "HEAD /command": "POST", "OPTIONS /command": "POST", "post /command": "POST", "POST /ping": "GET",
		"HEAD /ping": "GET", "POST /json": "GET", "PUT /devtools/page/1": "GET",
	} {
		a := admit(t, target+" HTTP/1.1", host, bearer)
		require.Equal(t, http.StatusMethodNotAllowed, a.status(), target)
		require.Equal(t, []string{allow}, a.header["Allow"])
	}
	a := admit(t, "DELETE /extension HTTP/1.1", host, bearer, "Origin: "+mozExt)
	require.Equal(t, http.StatusMethodNotAllowed, a.status())
	require.Equal(t, "GET, POST", a.header.Get("Allow"))
}

func TestPath(t *testing.T) {
	for path, status := range map[string]int{
		"/json": 200, "/json?x=1": 200, "/js%6fn": 200, "/devtools/page/1": 200, "/devtools/page/1/2": 200, "/json/version": 200, "/json/version/": 200,
		"/json/version//": 404, "/json/version/x": 404, "/json/versio": 404,
		"/json/": 404, "/JSON": 404, "//json": 404, "/json/list": 404, "/": 404, "/devtools/page/": 404, "/devtools/page": 404,
		"/ping/../json": 404, "/./json": 404, "/json%00": 404, "/json%2f": 404,
	} {
		require.Equal(t, status, admit(t, "GET "+path+" HTTP/1.1", host, bearer).status(), path)
	}
}

func TestGateKeepsItsOwnRoutes(t *testing.T) {
	own := slices.Clone(routes)
	g := gate.New(own, func() string { return token })
	own[slices.IndexFunc(own, func(r gate.Route) bool { return r.Path == "/json" })].Path = "/elsewhere"
	require.Equal(t, http.StatusOK, admitBy(t, g, "GET /json HTTP/1.1", host, bearer).status())
}

func TestMediaType(t *testing.T) {
	for line, in := range map[string]bool{
		"X: x":                           true,
		"Content-Type: application/json": true,
		"Content-Type: Application/JSON": true,
		"Content-Type: application/json; charset=utf-8":                    true,
		"Content-Type: application/json;charset=UTF-8":                     true,
		"Content-Type: application/json; charset=\"utf-8\"":                true,
		"Content-Type: application/json;":                                  true,
		"Content-Encoding: identity":                                       true,
		"Content-Type:":                                                    false,
		"Content-Type: text/plain":                                         false,
		"Content-Type: text/plain; x=application/json":                     false,
		"Content-Type: application/x-www-form-urlencoded":                  false,
		"Content-Type: multipart/form-data; boundary=x":                    false,
		"Content-Type: application/json; charset=latin1":                   false,
		"Content-Type: application/json; charset=utf-16":                   false,
		"Content-Type: application/json; charset=utf-8; charset=latin1":    false,
		"Content-Type: application/json; odata=verbose":                    false,
		"Content-Type: application/json, text/plain":                       false,
		"Content-Type: application/jsonp":                                  false,
		"Content-Type: application/ld+json":                                false,
		"Content-Type: json":                                               false,
		"Content-Type: application/json\r\nContent-Type: application/json": false,
		"Content-Encoding: gzip":                                           false,
		"Content-Encoding: identity, br":                                   false,
	} {
		t.Run(line, func(t *testing.T) {
			status := http.StatusUnsupportedMediaType
			if in {
				status = http.StatusOK
			}
			require.Equal(t, status, admit(t, "POST /command HTTP/1.1", host, bearer, line).status())
			require.Equal(t, status, admit(t, "POST /pair HTTP/1.1", host, "Origin: "+chromeExt, line).status())
			require.Equal(t, http.StatusOK, admit(t, "POST /extension HTTP/1.1", host, "Origin: "+chromeExt, bearer, line).status(), "no body, no type")
		})
	}
}
