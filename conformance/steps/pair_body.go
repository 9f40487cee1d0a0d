package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerPairBody(sc sentences, a *auth) {
	sc.When(`^the extension redeems it in a body of (\d+) bytes, (in one|in chunks)$`, a.redeemInBody)
	sc.When(`^the extension redeems it and its body takes (.+)$`, a.redeemSlowly)
	sc.When(`^the extension redeems it and its body never ends$`, a.redeemNever)
	sc.Then(`^it is refused as too (large|slow)$`, a.isCutOff)
	sc.Then(`^it is refused as too slow after (\S+)$`, a.isCutOffAfter)
	sc.Given(`^(\d+) pairings are under way$`, a.areUnderWay)
	sc.When(`^one of them ends$`, a.oneEnds)
	sc.When(`^one of them hangs up$`, a.oneHangsUp)
}

// rightGuess is the extension's guess of the right code.
func (a *auth) rightGuess() (sim.Request, error) {
	code, err := a.code()
	return guess(sim.Chrome.Origin, code), err
}

// redeemInBody redeems the code in a body that blanks bring to the size.
func (a *auth) redeemInBody(ctx context.Context, size int, how string) error {
	r, err := a.rightGuess()
	if err != nil {
		return err
	}
	r.Body = append(bytes.Repeat([]byte{' '}, size-len(r.Body)), r.Body...)
	r.Chunked, r.ChunkSize = how == "in chunks", 100
	a.heard = nil
	return a.try(ctx, r)
}

// redeemSlowly sends the head and half of the body, and the rest that much
// later.
func (a *auth) redeemSlowly(ctx context.Context, text string) error {
	d, err := parseAge(text)
	if err != nil {
		return err
	}
	r, call, err := a.halfWay(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = call.Close() }()
	if err := a.w.Clock.Elapse(ctx, a.edge(d)); err != nil {
		return err
	}
	// A daemon that has given up may have closed its side.
	_ = call.SendRaw(r.Body[len(r.Body)/2:])
	return a.hear(ctx, call, r)
}

func (a *auth) redeemNever(ctx context.Context) error {
	a.began = a.w.Clock.Now()
	r, call, err := a.halfWay(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = call.Close() }()
	return a.hear(ctx, call, r)
}

// halfWay begins a right guess and sends half of its body. The caller closes
// the call.
func (a *auth) halfWay(ctx context.Context) (sim.Request, *sim.Call, error) {
	r, err := a.rightGuess()
	if err != nil {
		return r, nil, err
	}
	call, err := a.begin(ctx, r)
	if err != nil {
		return r, nil, err
	}
	if err := errors.Join(call.SendHead(), call.SendRaw(r.Body[:len(r.Body)/2])); err != nil {
		return r, nil, errors.Join(err, call.Close())
	}
	return r, call, nil
}

// hear reads the answer to a guess that was sent in pieces.
func (a *auth) hear(ctx context.Context, call *sim.Call, r sim.Request) error {
	e, err := a.read(ctx, call, r)
	if err != nil {
		return err
	}
	a.heard = []exchange{e}
	a.guesses = append(a.guesses, e)
	return nil
}

func (a *auth) isCutOff(as string) error {
	want := map[string]int{"large": http.StatusRequestEntityTooLarge, "slow": http.StatusRequestTimeout}[as]
	token, status := a.last().given()
	switch {
	case token != "":
		return a.w.Fail("accepted", "a guess that is too %s is given the token", as)
	case status != want:
		return a.w.Fail("not-cut-off", "a guess that is too %s is answered with %d, not %d", as, status, want)
	}
	return nil
}

func (a *auth) isCutOffAfter(text string) error {
	want, err := time.ParseDuration(text)
	if err != nil {
		return err
	}
	if err := a.isCutOff("slow"); err != nil {
		return err
	}
	if err := a.w.Clock.Took(a.last().answer.FirstByteAt.Sub(a.began), want, time.Second); err != nil {
		return a.w.Fail("cut-off-time", "giving up the body %s", err)
	}
	return nil
}

// areUnderWay begins that many guesses whose bodies do not end. Each is known
// to be served when the daemon asks for its body (RFC 9110, section 10.1.1).
func (a *auth) areUnderWay(ctx context.Context, n int) error {
	for range n {
		r, err := a.rightGuess()
		if err != nil {
			return err
		}
		r = r.With("Expect", "100-continue")
		call, err := a.begin(ctx, r)
		if err != nil {
			return err
		}
		a.w.Cleanup(func() error {
			// A step may have closed it.
			_ = call.Close()
			return nil
		})
		if err := a.isServed(ctx, call); err != nil {
			return err
		}
		a.calls = append(a.calls, call)
	}
	return nil
}

const goOn = "HTTP/1.1 100 Continue\r\n\r\n"

func (a *auth) isServed(ctx context.Context, call *sim.Call) error {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Second, errNoAnswer)
	defer cancel()
	if err := call.SendHead(); err != nil {
		return fmt.Errorf("begin a pairing: %w", err)
	}
	said, err := call.ReadBytes(ctx, len(goOn))
	if !strings.HasPrefix(string(said), "HTTP/1.1 100") {
		return a.w.Fail("not-served", "a pairing that is not the fifth is not asked for its body, but answered %q (%v)", said, err)
	}
	return nil
}

func (a *auth) oneOfThem() (*sim.Call, error) {
	if len(a.calls) == 0 {
		return nil, errors.New("no pairing is under way")
	}
	call := a.calls[0]
	a.calls = a.calls[1:]
	return call, nil
}

// oneEnds ends a pairing that is under way with a body that holds no guess.
func (a *auth) oneEnds(ctx context.Context) error {
	call, err := a.oneOfThem()
	if err != nil {
		return err
	}
	r, err := a.rightGuess()
	if err != nil {
		return err
	}
	if err := call.SendRaw(bytes.Repeat([]byte{' '}, len(r.Body))); err != nil {
		return fmt.Errorf("end a pairing: %w", err)
	}
	if _, err := a.read(ctx, call, r); err != nil {
		return err
	}
	a.w.Clock.Settle()
	return call.Close()
}

func (a *auth) oneHangsUp(ctx context.Context) error {
	call, err := a.oneOfThem()
	if err != nil {
		return err
	}
	if err := call.Close(); err != nil {
		return fmt.Errorf("hang up: %w", err)
	}
	if a.w.Clock.Exact() {
		a.w.Clock.Settle()
		return nil
	}
	return a.w.Clock.Elapse(ctx, 300*time.Millisecond)
}
