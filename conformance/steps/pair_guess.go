package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerGuess(sc sentences, a *auth) {
	sc.Given(`^(a|\d+) wrong guess(?:es)?$`, func(ctx context.Context, n string) error { return a.wrongGuesses(ctx, n, "Chrome") })
	sc.Given(`^(\d+) wrong guesses by the extension in (Chrome|Firefox)$`, a.wrongGuesses)
	sc.Step(`^the extension guesses wrong$`, func(ctx context.Context) error { return a.guessWrong(ctx, sim.Chrome.Origin) })
	sc.When(`^the extension in (Chrome|Firefox) guesses wrong$`, func(ctx context.Context, in string) error { return a.guessWrong(ctx, originOf(in)) })
	sc.When(`^redeems it (\S+) later$`, a.redeemLater)
	sc.When(`^guesses wrong again (\S+) later$`, a.guessWrongLater)
	sc.When(`^redeems it (\d+) times at once$`, a.redeemTimes)
	sc.When(`^a second has passed$`, a.breathe)
	sc.Step(`^(\S+) have passed$`, a.wait)
	sc.When(`^(\d+) extensions redeem it at once$`, func(ctx context.Context, n int) error { return a.atOnce(ctx, n, true) })
	sc.When(`^(\d+) extensions guess wrong at once$`, func(ctx context.Context, n int) error { return a.atOnce(ctx, n, false) })
	sc.Then(`^(?:it|every one) is put off$`, a.isPutOff)
	sc.Then(`^both guesses are answered alike$`, a.areAlike)
	sc.Then(`^one alone is accepted$`, a.oneIsAccepted)
	sc.Then(`^one alone is refused and the others are put off$`, a.oneIsCompared)
}

// interval is the time that must lie between two guesses (AUTH-21), and breath
// is well above it: scenarios of other rules do not stand at its edge.
const (
	interval = time.Second
	breath   = 1100 * time.Millisecond
)

func (a *auth) breathe(ctx context.Context) error { return a.w.Clock.Elapse(ctx, breath) }

func (a *auth) wait(ctx context.Context, text string) error {
	d, err := parseAge(text)
	if err != nil {
		return err
	}
	return a.w.Clock.Elapse(ctx, a.edge(d))
}

// wrongCode returns a code that is not the scenario's.
func (a *auth) wrongCode() string {
	code, err := a.code()
	if err != nil {
		return "000000"
	}
	n, _ := strconv.Atoi(code)
	return fmt.Sprintf("%06d", (n+1)%1_000_000)
}

func (a *auth) guessWrong(ctx context.Context, origin string) error {
	a.heard = nil
	return a.try(ctx, guess(origin, a.wrongCode()))
}

// wrongGuesses makes that many wrong guesses, each as late as it must be, with
// room for the next.
func (a *auth) wrongGuesses(ctx context.Context, n, in string) error {
	count := 1
	if n != "a" {
		var err error
		if count, err = strconv.Atoi(n); err != nil {
			return err
		}
	}
	for range count {
		if err := a.guessWrong(ctx, originOf(in)); err != nil {
			return err
		}
		if token, status := a.last().given(); token != "" || status/100 != 4 {
			return fmt.Errorf("a wrong guess was answered with %d", status)
		}
		if err := a.breathe(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (a *auth) redeemLater(ctx context.Context, later string) error {
	if err := a.wait(ctx, later); err != nil {
		return err
	}
	return a.redeem(ctx, sim.Chrome.Origin)
}

func (a *auth) guessWrongLater(ctx context.Context, later string) error {
	if err := a.wait(ctx, later); err != nil {
		return err
	}
	return a.guessWrong(ctx, sim.Chrome.Origin)
}

func (a *auth) redeemTimes(ctx context.Context, n int) error {
	code, err := a.code()
	if err != nil {
		return err
	}
	a.heard = nil
	for range n {
		if err := a.try(ctx, guess(sim.Chrome.Origin, code)); err != nil {
			return err
		}
	}
	return nil
}

// isPutOff wants 503 busy with the time to wait, and no token. Whether a guess
// is too soon cannot be said in the real lane when the machine was too slow.
func (a *auth) isPutOff() error {
	return a.judge(func(e *exchange) error {
		token, status := e.given()
		if status != http.StatusServiceUnavailable && a.wasSlow(e) {
			return errors.New("a second has passed since the guess before: this machine is too slow to see that one is put off")
		}
		switch {
		case token != "":
			return a.w.Fail("accepted-soon", "a guess that should be put off is given the token")
		case status != http.StatusServiceUnavailable:
			return a.w.Fail("not-put-off", "a guess that should be put off is answered with %d", status)
		case e.answer.Header.Get("Retry-After") != "1":
			return a.w.Fail("retry-after", "who is put off is told Retry-After: %q, not 1", e.answer.Header.Get("Retry-After"))
		}
		return nil
	})
}

// wasSlow reports whether the guess was answered an interval or more after the
// first one of the scenario was.
func (a *auth) wasSlow(e *exchange) bool {
	return !a.w.Clock.Exact() && len(a.guesses) > 0 && e.answer.DoneAt.Sub(a.guesses[0].answer.FirstByteAt) >= interval
}

// atOnce sends guesses from as many extensions as there are, at the same time.
func (a *auth) atOnce(ctx context.Context, n int, right bool) error {
	code, err := a.code()
	if err != nil {
		return err
	}
	if !right {
		code = a.wrongCode()
	}
	answers, errs := make([]exchange, n), make([]error, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i], errs[i] = a.send(ctx, guess(extensionID(i), code)) })
	}
	all.Wait()
	a.heard = answers
	return errors.Join(errs...)
}

// extensionID returns the Origin of the i-th extension, each another one.
func extensionID(i int) string {
	return fmt.Sprintf("moz-extension://3f2504e0-4f89-41d3-9a0c-%012x", i)
}

func (a *auth) oneIsAccepted() error {
	given := 0
	for i := range a.heard {
		if token, _ := a.heard[i].given(); token != "" {
			given++
		}
	}
	switch given {
	case 1:
		return nil
	case 0:
		return errors.New("none of them was given the token")
	}
	return a.w.Fail("accepted-twice", "%d of %d were given the token", given, len(a.heard))
}

func (a *auth) oneIsCompared() error {
	compared := 0
	for i := range a.heard {
		switch status := a.heard[i].answer.Status; {
		case status == http.StatusServiceUnavailable:
		case status/100 == 4:
			compared++
		default:
			return a.w.Fail("status", "a wrong guess is answered with %d", status)
		}
	}
	if compared != 1 {
		return a.w.Fail("compared", "%d of %d guesses at once were compared", compared, len(a.heard))
	}
	return nil
}

// areAlike compares the answers to the last two guesses.
func (a *auth) areAlike() error {
	if len(a.guesses) < 2 {
		return errors.New("the scenario has not guessed twice yet")
	}
	x, y := a.guesses[len(a.guesses)-2].answer, a.guesses[len(a.guesses)-1].answer
	if x.Status == http.StatusServiceUnavailable || y.Status == http.StatusServiceUnavailable {
		return errors.New("a guess was put off")
	}
	if x.Status != y.Status || !bytes.Equal(x.Body, y.Body) || !reflect.DeepEqual(undated(x.Header), undated(y.Header)) {
		return a.w.Fail("told-apart", "one guess is answered with %d %q, the other with %d %q", x.Status, x.Body, y.Status, y.Body)
	}
	return nil
}
