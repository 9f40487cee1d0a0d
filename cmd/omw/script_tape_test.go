package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// post PLACE FILE STATUS [TOKENFILE] posts a file to /play on a Unix socket or an
// address, which must answer with that status. The answer is in the file answer.
func post(ts *testscript.TestScript, _ bool, args []string) {
	place, name := args[0], args[1]
	transport := &http.Transport{DisableKeepAlives: true}
	host := place
	if strings.Contains(place, "/") {
		host = "sim"
		transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", ts.MkAbs(place))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+host+"/play?name="+url.QueryEscape(name), strings.NewReader(ts.ReadFile(name)))
	ts.Check(err)
	if len(args) > 3 {
		req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(ts.ReadFile(args[3])))
	}
	res, err := transport.RoundTrip(req)
	ts.Check(err)
	body, err := io.ReadAll(res.Body)
	ts.Check(err)
	ts.Check(res.Body.Close())
	ts.Check(os.WriteFile(ts.MkAbs("answer"), body, 0o600))
	if strconv.Itoa(res.StatusCode) != args[2] {
		ts.Fatalf("%d, and not %s:\n%s", res.StatusCode, args[2], body)
	}
}
