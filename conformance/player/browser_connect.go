package player

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// connect opens the WebSocket.
func (b *browser) connect(l *tape.Line) error {
	ctx, cancel := context.WithTimeout(b.p.ctx, b.p.patience(l))
	defer cancel()
	want, mustFail := number(l, "refused")
	err := b.sim.Connect(ctx)
	// Outside of a bubble nobody can see when the daemon has noticed that the
	// browser's place is free.
	for !mustFail && !b.p.stage.Clock.Exact() && taken(err) && pause(ctx) {
		err = b.sim.Connect(ctx)
	}
	refused, was := errors.AsType[*sim.Refused](err)
	switch {
	case was:
		b.p.note(b.name, fmt.Sprintf("is refused: %d %s", refused.Status, refused.Code), "")
	case err != nil:
		return err
	}
	switch {
	case mustFail && !was:
		return fmt.Errorf("it was let in; want it refused with %d", want)
	case mustFail && refused.Status != want:
		return fmt.Errorf("it was refused with %d; want %d", refused.Status, want)
	case was && !mustFail:
		return err
	}
	return nil
}

func taken(err error) bool {
	refused, ok := errors.AsType[*sim.Refused](err)
	return ok && refused.Status == http.StatusConflict
}

func pause(ctx context.Context) bool {
	t := time.NewTimer(5 * time.Millisecond)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// hello says hello and waits for the welcome.
func (b *browser) hello(l *tape.Line) error {
	if err := b.say(b.helloFrame(l)); err != nil {
		return err
	}
	code, mustFail := l.Arg("closed")
	over := b.p.until(b.p.patience(l), func() bool { return b.welcome || !b.open })
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	switch {
	case !over:
		return errors.New("it was neither welcomed nor closed")
	case mustFail && b.welcome:
		return fmt.Errorf("it was welcomed; want it closed with %s", code)
	case mustFail && b.closedWith() != code:
		return fmt.Errorf("it was closed with %s; want %s", b.closedWith(), code)
	case !mustFail && !b.welcome:
		return fmt.Errorf("it was closed with %s instead of a welcome", b.closedWith())
	}
	return nil
}

// closedWith is the code of the daemon's close frame, as a browser sees it. p.mu
// is held.
func (b *browser) closedWith() string {
	if b.closing == nil {
		return "1006"
	}
	return b.closing.code
}

// helloFrame is what a line says of hello, and the profile otherwise.
func (b *browser) helloFrame(l *tape.Line) []byte {
	h := protocol.Hello{
		Browser: b.profile.Browser, BrowserVersion: b.profile.BrowserVersion, ExtensionVersion: b.profile.ExtensionVersion,
		FileAccess: b.profile.FileAccess, Sessions: b.sim.Sessions(),
	}
	if v, ok := l.Arg("browser"); ok {
		h.Browser = protocol.Browser(v)
	}
	if v, ok := l.Arg("version"); ok {
		h.BrowserVersion = v
	}
	if v, ok := l.Arg("extension"); ok {
		h.ExtensionVersion = v
	}
	if v, ok := l.Arg("file-access"); ok {
		h.FileAccess = v == "true"
	}
	if v, ok := l.Arg("sessions"); ok {
		h.Sessions = names(v)
	}
	return h.AppendTo(nil)
}

// names takes a list apart.
func names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// sessionsOf are the sessions that a browser holds when it first says hello.
func (p *play) sessionsOf(name string) []string {
	for i := range p.t.Lines {
		l := &p.t.Lines[i]
		if l.Actor != name {
			continue
		}
		switch l.Verb {
		case "hello", "join", "resume":
			v, _ := l.Arg("sessions")
			return names(v)
		}
	}
	return nil
}

// join is connect and hello.
func (b *browser) join(l *tape.Line) error {
	if err := b.connect(l); err != nil {
		return err
	}
	if _, refused := l.Arg("refused"); refused {
		return nil
	}
	return b.hello(l)
}

// run lets the browser live by itself.
func (b *browser) run(l *tape.Line) error {
	// What it ends with is the end of the tape, or of the browser.
	b.p.work.Go(func() { _ = b.sim.Run(b.p.ctx) })
	if !b.p.until(b.p.patience(l), func() bool { return b.welcome }) {
		return errors.New("it is not connected, " + tape.Duration(b.p.patience(l)) + " after it began to try")
	}
	return nil
}

// suspend stops the background.
func (b *browser) suspend(*tape.Line) error {
	b.p.note(b.name, "its background is stopped", "")
	b.sim.Suspend()
	return nil
}

// resume starts the background again.
func (b *browser) resume(l *tape.Line) error {
	b.p.note(b.name, "its background starts again", "")
	if !b.runs {
		return b.join(l)
	}
	ctx, cancel := context.WithTimeout(b.p.ctx, b.p.patience(l))
	defer cancel()
	return b.sim.Connect(ctx)
}

func (b *browser) close(l *tape.Line) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	code, err := strconv.Atoi(l.Word(0))
	if err != nil {
		return err
	}
	reason, _ := l.Arg("reason")
	return b.sim.CloseWith(code, reason)
}

// drop ends the connection.
func (b *browser) drop(l *tape.Line) error {
	if err := b.mustBeOpen(); err != nil {
		return err
	}
	if l.Word(1) == "unread" {
		b.p.mu.Lock()
		defer b.p.mu.Unlock()
		b.unread = l.Word(0)
		return nil
	}
	if l.Word(0) == "rst" {
		b.sim.Reset()
	} else {
		b.sim.Drop()
	}
	if !b.p.until(usualWithin, func() bool { return !b.open }) {
		return errors.New("the connection has not ended")
	}
	return nil
}

// mustBeOpen says that the browser has no connection.
func (b *browser) mustBeOpen() error {
	b.p.mu.Lock()
	defer b.p.mu.Unlock()
	if !b.open {
		return fmt.Errorf("%s is not connected", b.name)
	}
	return nil
}

// expectClose waits for the end of the connection.
func (b *browser) expectClose(l *tape.Line) error {
	slip := b.p.slip()
	if !b.p.until(b.p.patience(l), func() bool { return !b.open && b.conn > 0 }) {
		return fmt.Errorf("%s is still connected", b.name)
	}
	b.p.mu.Lock()
	code, frame, ended := b.closedWith(), b.closing, b.ended
	b.p.mu.Unlock()
	if want := l.Word(0); want != "" && want != code {
		return fmt.Errorf("the connection was closed with %s; want %s", code, want)
	}
	if want, ok := l.Arg("reason"); ok {
		switch {
		case frame == nil:
			return fmt.Errorf("the connection ended without a close frame; want one that says %q", want)
		case !strings.Contains(frame.reason, want):
			return fmt.Errorf("the close frame says %q; want %q in it", frame.reason, want)
		}
	}
	return b.p.timed(l, ended, ended, slip)
}

func (b *browser) expectPong(l *tape.Line) error {
	slip := b.p.slip()
	if !b.p.until(b.p.patience(l), func() bool { return len(b.pongs) > b.expected }) {
		return errors.New("no pong has come")
	}
	b.p.mu.Lock()
	when := b.pongs[b.expected]
	b.expected++
	b.p.mu.Unlock()
	return b.p.timed(l, when, when, slip)
}
