package steps

import (
	"context"
	"fmt"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerLink(sc sentences, r *route) {
	sc.Given(`^(Chrome|Firefox) has opened its connection and says no hello$`, r.opensOnly)
	sc.When(`^(Chrome|Firefox) says hello as "(.*)"$`, r.saysHello)
	sc.When(`^(Chrome|Firefox) says ((?:an? |two |the ).*)$`, r.says)
	sc.Then(`^(Chrome|Firefox) is welcomed$`, r.isWelcomed)
	sc.Then(`^(Chrome|Firefox)'s connection is open$`, r.isOpen)
	sc.Then(`^(Chrome|Firefox)'s connection is closed with ([0-9]+)$`, r.isClosedWith)
	sc.Then(`^the reason is told$`, r.tellsReason)
	sc.Then(`^(Chrome|Firefox) has received no command$`, r.receivedNothing)
}

func (r *route) opensOnly(ctx context.Context, name string) error {
	silent := ""
	b, err := r.connect(ctx, browserNamed(name), func(c *sim.Config) { c.Hello = &silent })
	if err == nil {
		r.last = b
	}
	return err
}

func (r *route) saysHello(name, claim string) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	h := protocol.Hello{Browser: protocol.Browser(claim), BrowserVersion: b.Profile().BrowserVersion}
	return r.tell(b, h.AppendTo(nil))
}

// tell lets a browser send a text frame; that the daemon has hung up already is
// for the sentences behind it to find.
func (r *route) tell(b *browser, frame []byte) error {
	r.last = b
	if err := b.SendText(frame); err != nil {
		r.w.Transcript.Note(string(b.Profile().Browser), "could not say it: %v", err)
	}
	r.w.Clock.Settle()
	return nil
}

// frames are what a browser may say, beside a hello, an answer and a request
// that has an answer.
var frames = map[string]string{
	"a ping":                         `{"type":"ping"}`,
	"a ping with an unknown field":   `{"type":"ping","since":5,"more":{"a":[]}}`,
	"an answer to nothing":           `{"type":"result","id":"none","ok":true,"data":{}}`,
	"a request":                      `{"type":"request","id":"r","action":"tabs","args":{},"session":"shop"}`,
	"an event":                       `{"type":"event","event":"tab_closed","tab":1}`,
	"an event of an unknown name":    `{"type":"event","event":"tab_grew","tab":1}`,
	"a frame of an unknown type":     `{"type":"greeting","text":"from a newer extension"}`,
	"a frame without a type":         `{"browser":"chrome"}`,
	"a frame whose type is a number": `{"type":5}`,
	"an array":                       `[{"type":"ping"}]`,
	"a text that is no JSON":         `ping`,
	"two frames in one message":      `{"type":"ping"}{"type":"ping"}`,
	"an empty message":               ``,
	"a hello without a browser":      `{"type":"hello","browser_version":"1","extension_version":"1","sessions":[]}`,
}

func (r *route) says(name, what string) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	switch what {
	case "a ping of RFC 6455":
		err = b.WriteRaw(sim.RawFrame{Opcode: sim.OpPing, Payload: []byte("alive")}.AppendTo(nil))
	case "the beginning of a message":
		err = b.WriteRaw(sim.RawFrame{Opcode: sim.OpText, NotFinal: true, Payload: []byte(`{"type":`)}.AppendTo(nil))
	default:
		frame, ok := frames[what]
		if !ok {
			return fmt.Errorf("nobody knows how to say %s", what)
		}
		return r.tell(b, []byte(frame))
	}
	r.w.Clock.Settle()
	return err
}

func (r *route) isWelcomed(ctx context.Context, name string) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	if !r.reached(ctx, b.Connected) {
		return r.w.Fail("not-welcomed", "%s was not welcomed %s after its connection was opened", name, r.w.Clock.Since(b.opened))
	}
	return nil
}

// isOpen sends a ping, which an open connection answers; one that has said no
// hello would be closed for it, and must only not be closed so far.
func (r *route) isOpen(ctx context.Context, name string) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	r.w.Clock.Settle()
	over := func() error {
		code, reason, _ := b.Closed()
		return r.w.Fail("closed", "%s's connection was closed with %d %q, %s after it was opened", name, code, reason, r.w.Clock.Since(b.opened))
	}
	if b.hasEnded() {
		return over()
	}
	if _, greeted := b.Welcome(); !greeted {
		return nil
	}
	before := b.pongs.Load()
	if err := b.SendText(protocol.PingFrame); err != nil {
		return over()
	}
	if !r.reached(ctx, func() bool { return b.pongs.Load() > before }) {
		return r.w.Fail("no-pong", "%s's connection answers no ping", name)
	}
	return nil
}

func (r *route) isClosedWith(ctx context.Context, name string, code int) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	if !r.reached(ctx, b.hasEnded) {
		return r.w.Fail("still-open", "%s's connection is open %s after it was opened", name, r.w.Clock.Since(b.opened))
	}
	if got, reason, said := b.Closed(); !said || got != code {
		return r.w.Fail("close-code", "%s's connection ended with %d %q; want the close code %d", name, got, reason, code)
	}
	r.last = b
	return nil
}

func (r *route) tellsReason() error {
	if r.last == nil {
		return fmt.Errorf("no connection was looked at")
	}
	if _, reason, _ := r.last.Closed(); reason == "" {
		return r.w.Fail("no-reason", "the close frame gives no reason")
	}
	return nil
}

func (r *route) receivedNothing(name string) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	if got := b.Received(); len(got) > 0 {
		return r.w.Fail("received", "%s has received a %s", name, got[0].Action)
	}
	return nil
}
