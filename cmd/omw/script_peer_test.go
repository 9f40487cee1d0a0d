package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
	"github.com/oh-my-webbridge/omw/sim"
)

// browser chrome|firefox [mute|FILE] connects a simulated browser to the daemon on
// $ADDR. A mute one starts commands and never answers. A FILE says what comes of
// some actions.
func browser(ts *testscript.TestScript, _ bool, args []string) {
	profile, _ := sim.ProfileOf(protocol.Browser(args[0]))
	token, err := state.ReadToken(ts.Getenv("CONFIG"))
	ts.Check(err)
	cfg := sim.Config{Dial: (&net.Dialer{}).DialContext, Addr: ts.Getenv("ADDR"), Token: token, Profile: profile, StrictTabs: true}
	if len(args) > 1 && args[1] == "mute" {
		cfg.StrictTabs, cfg.Faults = false, []sim.Rule{{Fault: sim.NeverReply{}}}
	} else if len(args) > 1 {
		cfg.Respond = replies(ts, args[1])
	}
	b := sim.New(cfg)
	ts.Defer(func() { _ = b.Close() })
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	ts.Check(b.Connect(ctx))
	sceneOf(ts).browsers[args[0]] = b
}

// started chrome|firefox ACTION N: the browser started that action N times. With
// N "some" it waits for one.
func started(ts *testscript.TestScript, _ bool, args []string) {
	b := sceneOf(ts).browsers[args[0]]
	if b == nil {
		ts.Fatalf("no browser %s", args[0])
	}
	if args[2] == "some" {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		_, err := b.Await(ctx, sim.ByAction(args[1]))
		ts.Check(err)
		return
	}
	if got := b.StartsOf(sim.ByAction(args[1])); strconv.Itoa(got) != args[2] {
		ts.Fatalf("%s was started %d times, and not %s", args[1], got, args[2])
	}
}

// closed chrome|firefox CODE waits until the daemon closes the link with that code.
func closed(ts *testscript.TestScript, _ bool, args []string) {
	b := sceneOf(ts).browsers[args[0]]
	select {
	case <-b.Done():
	case <-time.After(patience):
		ts.Fatalf("the link of %s stays open", args[0])
	}
	if code, reason, ok := b.Closed(); !ok || strconv.Itoa(code) != args[1] {
		ts.Fatalf("the link of %s was closed with %d %q", args[0], code, reason)
	}
}

// halfbody sends a command to $ADDR but for its last byte, and keeps the
// connection: a request that the daemon must wait for.
func halfBody(ts *testscript.TestScript, _ bool, _ []string) {
	token, err := state.ReadToken(ts.Getenv("CONFIG"))
	ts.Check(err)
	c, err := net.Dial("tcp", ts.Getenv("ADDR"))
	ts.Check(err)
	ts.Defer(func() { _ = c.Close() })
	_, err = fmt.Fprintf(c, "POST /command HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\nContent-Length: 18\r\nExpect: 100-continue\r\n\r\n", token)
	ts.Check(err)
	// The daemon asks for the body once it reads it.
	_, err = io.ReadFull(c, make([]byte, len("HTTP/1.1 100 Continue")))
	ts.Check(err)
	_, err = io.WriteString(c, `{"action":"tabs"}`)
	ts.Check(err)
}

// redeem CODE STATUS sends a pairing code to $ADDR as the extension does.
func redeem(ts *testscript.TestScript, _ bool, args []string) {
	for end := time.Now().Add(patience); ; {
		req, err := http.NewRequest(http.MethodPost, "http://"+ts.Getenv("ADDR")+"/pair", strings.NewReader(fmt.Sprintf(`{"code":%q}`, args[0])))
		ts.Check(err)
		req.Header.Set("Origin", sim.Chrome.Origin)
		req.Header.Set("Content-Type", "application/json")
		req.Close = true
		res, err := http.DefaultTransport.RoundTrip(req)
		ts.Check(err)
		body, err := io.ReadAll(res.Body)
		ts.Check(err)
		_ = res.Body.Close()
		if strconv.Itoa(res.StatusCode) == args[1] {
			return
		}
		if res.StatusCode != http.StatusServiceUnavailable || time.Now().After(end) {
			ts.Fatalf("POST /pair: %d %s", res.StatusCode, body)
		}
		<-time.After(protocol.DefaultLimits().PairInterval) // as Retry-After says
	}
}

// wrong CODE VARIABLE puts another code of six digits into the variable.
func wrong(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	ts.Setenv(args[1], fmt.Sprintf("%06d", (n+1)%1_000_000))
}

// stranger takes a port, puts it into $ADDR and keeps every byte that comes. It
// answers what it is told: "http" to every request, or nothing.
func stranger(ts *testscript.TestScript, _ bool, args []string) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	s := &snoop{}
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			work.Go(func() {
				defer c.Close()
				_ = c.SetDeadline(time.Now().Add(patience))
				if args[0] == "http" {
					_, _ = io.CopyN(s, c, 1)
					_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
				}
				_, _ = io.Copy(s, c)
			})
		}
	})
	ts.Defer(func() {
		_ = ln.Close()
		work.Wait()
	})
	ts.Setenv("ADDR", ln.Addr().String())
	sceneOf(ts).stranger = s
}

// snoop keeps what it is sent.
type snoop struct {
	mu   sync.Mutex
	seen bytes.Buffer
}

func (s *snoop) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen.Write(b)
}

// learned TEXT: the stranger has seen the text; with ! it has not. "token" is
// the token of the config directory.
func learned(ts *testscript.TestScript, neg bool, args []string) {
	s := sceneOf(ts).stranger
	s.mu.Lock()
	seen := s.seen.String()
	s.mu.Unlock()
	text := args[0]
	if text == "token" {
		token, err := state.ReadToken(ts.Getenv("CONFIG"))
		ts.Check(err)
		text = token
	}
	if strings.Contains(seen, text) == neg {
		ts.Fatalf("the stranger has seen:\n%s", strings.ReplaceAll(seen, text, "***"))
	}
}
