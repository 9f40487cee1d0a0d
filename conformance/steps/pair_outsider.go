package steps

import (
	"context"
	"fmt"
	"strings"

	"github.com/cucumber/godog"
	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerOutsider(sc sentences, a *auth) {
	sc.When(`^(\d+) wrong guesses come from (.+)$`, a.guessFromOutside)
	sc.Then(`^the attempts that omw pair shows are$`, a.attemptsAre)
}

// guessFromOutside makes wrong guesses, one after the other without a pause,
// from somebody who may not guess.
func (a *auth) guessFromOutside(ctx context.Context, n int, whom string) error {
	r, err := outsider(whom, a.wrongCode())
	if err != nil {
		return err
	}
	a.heard = nil
	for range n {
		if err := a.ask(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func outsider(whom, code string) (sim.Request, error) {
	if whom == "a caller without an Origin" {
		return guess("", code), nil
	}
	if host, ok := strings.CutPrefix(whom, "the extension at the Host "); ok {
		r := guess(sim.Chrome.Origin, code)
		r.Host = &host
		return r, nil
	}
	if page, ok := strings.CutPrefix(whom, "a page of "); ok {
		origin, plain := strings.CutSuffix(page, ", as plain text")
		r := guess(origin, code)
		if plain {
			r = without(r, "Content-Type").With("Content-Type", "text/plain")
		}
		return r, nil
	}
	return sim.Request{}, fmt.Errorf("nobody is %q", whom)
}

// attempt is a guess as GET /admin/status lists it.
type attempt struct {
	Origin  string `json:"origin"`
	Outcome string `json:"outcome"`
}

// attemptsAre compares the attempts that GET /admin/status lists, from which
// omw pair shows them.
func (a *auth) attemptsAre(ctx context.Context, want *godog.Table) error {
	r, err := a.letter(ctx, "GET /admin/status")
	if err != nil {
		return err
	}
	e, err := a.send(ctx, r)
	if err != nil {
		return err
	}
	var status struct {
		Pairing struct {
			Attempts []attempt `json:"attempts"`
		} `json:"pairing"`
	}
	if err := json.Unmarshal(e.answer.Body, &status); err != nil {
		return a.w.Fail("no-status", "GET /admin/status is answered with %d and no status", e.answer.Status)
	}
	got := status.Pairing.Attempts
	if len(got) != len(want.Rows)-1 {
		return a.w.Fail("attempts", "%d attempts are shown, not %d: %v", len(got), len(want.Rows)-1, got)
	}
	for i, row := range want.Rows[1:] {
		if w := (attempt{originOf(row.Cells[0].Value), row.Cells[1].Value}); got[i] != w {
			return a.w.Fail("attempts", "attempt %d is shown as %v, not as %v", i+1, got[i], w)
		}
	}
	return nil
}
