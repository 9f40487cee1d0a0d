package extension

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerHello adds the sentences about what an extension says first:
//
//	its first frame is a hello                   and no other frame of it is one
//	its hello has every field, as its schema says
//	its hello names the browser of its Origin
//	its hello names the sessions "shop" and "mail" | no session
//	the hello of its last connection …           likewise
func registerHello(sc Sentences, x *ext) {
	sc.Then(`^its first frame is a hello, and no other one is$`, x.helloFirst)
	sc.Then(`^its hello has every field, as the schema has it$`, x.helloWhole)
	sc.Then(`^its hello names the browser that its Origin shows, and a version$`, x.helloTrue)
	sc.Then(`^its hello names (no session|the sessions? `+words.Quoted+`.*)$`, x.helloNames)
}

const greets = "sends as its first frame a hello with browser, browser_version, sessions and, if it says them, extension_version and " +
	"file_access, and never another"

// hellos returns the frames of a connection that are hellos, by their type alone.
func hellos(s *sim.Socket) (all []sim.Heard, first bool) {
	for i, h := range s.Heard() {
		if kind, _ := protocol.StringArg(jsontext.Value(h.Payload), "type"); h.Opcode == sim.OpText && kind == "hello" {
			all = append(all, h)
			first = first || i == 0
		}
	}
	return all, first
}

// hello returns the hello of the last connection that was opened.
func (x *ext) hello(ctx context.Context) (sim.Heard, error) {
	var all []sim.Heard
	said := func() bool {
		sockets := x.d.Sockets()
		if len(sockets) == 0 {
			return false
		}
		all, _ = hellos(sockets[len(sockets)-1])
		return len(all) > 0
	}
	if !x.reached(ctx, said) {
		return sim.Heard{}, x.fail("no-hello", greets, "it has said no hello: %s", x.seen())
	}
	return all[0], nil
}

func (x *ext) helloFirst(ctx context.Context) error {
	h, err := x.hello(ctx)
	if err != nil {
		return err
	}
	for _, s := range x.d.Sockets() {
		all, first := hellos(s)
		if !first || len(all) != 1 {
			return x.fail("hello-first", greets, "connection %d had %d hellos, first %t; its frames: %s", s.N, len(all), first, spoken(s))
		}
	}
	if h.Unmasked {
		return x.fail("unmasked", "masks its frames (RFC 6455, section 5.1)", "the hello at %s was not masked", x.at(h.At))
	}
	return nil
}

// spoken returns the first frames of a connection, for reasons.
func spoken(s *sim.Socket) string {
	all := s.Heard()
	var texts []string
	for _, h := range all[:min(len(all), 6)] {
		texts = append(texts, fmt.Sprintf("%.200s", h.Payload))
	}
	return listed(texts)
}

func (x *ext) helloWhole(ctx context.Context) error {
	h, err := x.hello(ctx)
	if err != nil {
		return err
	}
	frame, err := protocol.DecodeFrame(h.Payload)
	if err != nil {
		return x.fail("hello-schema", greets, "its hello at %s breaks the schema: %s: %.300s", x.at(h.At), err, h.Payload)
	}
	hello, ok := frame.(*protocol.Hello)
	if !ok {
		return x.fail("hello-schema", greets, "its first frame at %s is no hello: %.300s", x.at(h.At), h.Payload)
	}
	for i, name := range hello.Sessions {
		if err := protocol.CheckSession(name, protocol.DefaultLimits()); err != nil {
			return x.fail("hello-session", greets, "its hello at %s names a session that is none: %s", x.at(h.At), err)
		}
		if slices.Contains(hello.Sessions[:i], name) {
			return x.fail("hello-twice", greets, "its hello at %s names the session %q twice", x.at(h.At), name)
		}
	}
	return nil
}

func (x *ext) helloTrue(ctx context.Context) error {
	h, err := x.hello(ctx)
	if err != nil {
		return err
	}
	var hello struct {
		Browser protocol.Browser `json:"browser"`
		Version string           `json:"browser_version"`
	}
	if err := json.Unmarshal(h.Payload, &hello); err != nil {
		return x.fail("hello-schema", greets, "its hello at %s cannot be read: %s", x.at(h.At), err)
	}
	sockets := x.d.Sockets()
	origin := sockets[len(sockets)-1].Header.Get("Origin")
	shown, ok := browserShownBy(origin)
	if !ok || hello.Browser != shown {
		return x.fail("hello-browser", greets, "its hello at %s names the browser %q; its Origin %q is that of %q", x.at(h.At), hello.Browser, origin, shown)
	}
	if hello.Version == "" {
		return x.fail("hello-version", greets, "its hello at %s names no browser_version: %.300s", x.at(h.At), h.Payload)
	}
	return nil
}

func (x *ext) helloNames(ctx context.Context, text string) error {
	want, err := words.Sessions(text)
	if err != nil {
		return err
	}
	h, err := x.hello(ctx)
	if err != nil {
		return err
	}
	var hello struct {
		Sessions []string `json:"sessions"`
	}
	if err := json.Unmarshal(h.Payload, &hello); err != nil {
		return x.fail("hello-schema", greets, "its hello at %s cannot be read: %s", x.at(h.At), err)
	}
	slices.Sort(want)
	slices.Sort(hello.Sessions)
	if !slices.Equal(want, hello.Sessions) {
		return x.fail("hello-sessions", "reports in each hello the sessions that it holds, those before a stop of its background too",
			"the hello at %s names the sessions %q; it holds %q", x.at(h.At), hello.Sessions, want)
	}
	return nil
}
