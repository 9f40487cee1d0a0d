package steps

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerPair(sc sentences, a *auth) {
	sc.Step(`^(?:a|another) pairing code$`, a.makeCode)
	sc.Step(`^a pairing code is made$`, a.makeCode)
	sc.Given(`^(?:a|another) pairing code that is (.+) old$`, a.makeCodeOfAge)
	sc.Given(`^a daemon that has made no pairing code$`, a.noCode)
	sc.When(`^the extension redeems it$`, func(ctx context.Context) error { return a.redeem(ctx, sim.Chrome.Origin) })
	sc.When(`^the extension in (Chrome|Firefox) redeems it$`, func(ctx context.Context, in string) error { return a.redeem(ctx, originOf(in)) })
	sc.Given(`^the extension in (Chrome|Firefox) has redeemed it$`, a.hasRedeemed)
	sc.When(`^the extension redeems the first code$`, a.redeemFirst)
	sc.When(`^a caller without an Origin redeems it$`, func(ctx context.Context) error { return a.redeem(ctx, "") })
	sc.Then(`^it is (accepted|refused)$`, a.isPaired)
	sc.Then(`^it is given the daemon's token$`, a.isGivenToken)
	sc.Then(`^the token opens (Chrome|Firefox)'s socket$`, a.opensSocketOf)
}

// makeCode makes a new pairing code, which is the scenario's from then on. A
// daemon that scenarios share may have compared a guess of the one before a
// moment ago, so that another would come too soon.
func (a *auth) makeCode(ctx context.Context) error {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return err
	}
	if a.w.Target().Serial && len(a.codes) == 0 {
		if err := a.breathe(ctx); err != nil {
			return err
		}
	}
	code, err := d.Code(ctx)
	if err != nil {
		return err
	}
	if !sixDigits.MatchString(code) {
		return a.w.Fail("code-shape", "the pairing code has %d characters and is not six digits", len(code))
	}
	a.codes = append(a.codes, code)
	return nil
}

var sixDigits = regexp.MustCompile(`^[0-9]{6}$`)

// code is the pairing code that was made last.
func (a *auth) code() (string, error) {
	if len(a.codes) == 0 {
		return "", errors.New("the scenario has made no pairing code yet")
	}
	return a.codes[len(a.codes)-1], nil
}

// makeCodeOfAge makes a code and lets that time pass.
func (a *auth) makeCodeOfAge(ctx context.Context, age string) error {
	d, err := parseAge(age)
	if err != nil {
		return err
	}
	if err := a.makeCode(ctx); err != nil {
		return err
	}
	return a.w.Clock.Elapse(ctx, a.edge(d))
}

// parseAge reads a duration as features write it: 4m 59.999999999s.
func parseAge(text string) (time.Duration, error) {
	return time.ParseDuration(strings.ReplaceAll(text, " ", ""))
}

// edge is a duration of a feature as this lane can assert it. What is no edge
// of a whole second stays as it is.
func (a *auth) edge(d time.Duration) time.Duration {
	if (d - d.Round(time.Second)).Abs() <= time.Microsecond {
		return a.w.Clock.Adapt(d)
	}
	return d
}

func (a *auth) noCode(ctx context.Context) error {
	if info := a.w.Target(); info.Serial {
		return a.w.Unobservable("%s is shared, so it may have made a pairing code before", info.Name)
	}
	_, err := a.w.Daemon(ctx)
	return err
}

// originOf returns the Origin of the extension in that browser.
func originOf(browser string) string {
	profile, _ := sim.ProfileOf(browserNamed(browser))
	return profile.Origin
}

// guess returns a POST /pair; an origin of "" sends none.
func guess(origin, code string) sim.Request { return pairing(origin, fmt.Sprintf(`{"code":%q}`, code)) }

func pairing(origin, body string) sim.Request {
	r := sim.Post("/pair", body)
	if origin != "" {
		r = r.With("Origin", origin)
	}
	return r
}

// redeem guesses the right code.
func (a *auth) redeem(ctx context.Context, origin string) error {
	code, err := a.code()
	if err != nil {
		return err
	}
	a.heard = nil
	return a.try(ctx, guess(origin, code))
}

// try sends a guess and keeps it among the scenario's guesses.
func (a *auth) try(ctx context.Context, r sim.Request) error {
	if err := a.ask(ctx, r); err != nil {
		return err
	}
	a.guesses = append(a.guesses, a.heard[len(a.heard)-1])
	return nil
}

func (a *auth) redeemFirst(ctx context.Context) error {
	if len(a.codes) == 0 {
		return errors.New("the scenario has made no pairing code yet")
	}
	a.heard = nil
	return a.try(ctx, guess(sim.Chrome.Origin, a.codes[0]))
}

// hasRedeemed redeems the code, and lets the time pass that must lie between
// two guesses.
func (a *auth) hasRedeemed(ctx context.Context, in string) error {
	if err := a.redeem(ctx, originOf(in)); err != nil {
		return err
	}
	if token, status := a.last().given(); token == "" {
		return fmt.Errorf("the first redemption was answered with %d and no token", status)
	}
	return a.breathe(ctx)
}

// last is the last exchange, which there must be.
func (a *auth) last() *exchange {
	if len(a.heard) == 0 {
		return &exchange{}
	}
	return &a.heard[len(a.heard)-1]
}

// given returns the token that the answer to a guess gives, "" if none.
func (e *exchange) given() (token string, status int) {
	var answer struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(e.answer.Body, &answer) != nil || e.answer.Status != http.StatusOK {
		return "", e.answer.Status
	}
	return answer.Token, e.answer.Status
}

// isPaired judges the last guess. One that was put off is neither: it came too
// soon, which AUTH-21 alone is about.
func (a *auth) isPaired(want string) error {
	e := a.last()
	token, status := e.given()
	if status == http.StatusServiceUnavailable && a.w.Scenario.Rule.ID != "AUTH-21" {
		return errors.New("the guess was put off, and is neither accepted nor refused")
	}
	switch {
	case want == "accepted" && token == "":
		return a.w.Fail("refused", "the right code is answered with %d and no token", status)
	case want == "refused" && (token != "" || status/100 == 2):
		return a.w.Fail("accepted", "the guess is answered with %d", status)
	case want == "refused" && status/100 != 4:
		return a.w.Fail("status", "the guess is answered with %d, which is no refusal", status)
	}
	return nil
}

func (a *auth) isGivenToken(ctx context.Context) error {
	want, err := a.token(ctx)
	if err != nil {
		return err
	}
	got, status := a.last().given()
	if got == "" {
		return a.w.Fail("no-token", "the right code is answered with %d and no token", status)
	}
	a.w.Transcript.Secret(got)
	if got != want {
		return a.w.Fail("other-token", "the right code is answered with a text of %d characters that is not the token", len(got))
	}
	return nil
}

// opensSocketOf opens the browser's socket with the token that was given.
func (a *auth) opensSocketOf(ctx context.Context, in string) error {
	token, _ := a.last().given()
	return a.opensFrom(ctx, originOf(in), token)
}
