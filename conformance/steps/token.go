package steps

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerToken(sc sentences, a *auth) {
	sc.When(`^a caller with the token asks for ([A-Z]+ \S+)$`, a.askWithToken)
	sc.When(`^a caller without the token asks for ([A-Z]+ \S+)$`, a.askWithoutToken)
	sc.When(`^a caller asks for ([A-Z]+ \S+) with the token in the URL alone$`, a.askByURL)
	sc.Given(`^the token was rotated$`, a.rotate)
	sc.When(`^callers present (.+)$`, a.presentToken)
	sc.When(`^programs present (.+)$`, a.presentHeader)
	sc.Then(`^each gets the very answer that it gets without a token$`, a.isLikeMissing)
}

// goodLetter is letter for a target that may have a query, which no door's name
// has.
func (a *auth) goodLetter(ctx context.Context, what string) (sim.Request, error) {
	door, query, has := strings.Cut(what, "?")
	r, err := a.letter(ctx, door)
	if has {
		r.Target += "?" + query
	}
	return r, err
}

func (a *auth) askWithToken(ctx context.Context, what string) error {
	if what == "POST /admin/token" {
		if err := a.mayRotate(); err != nil {
			return err
		}
	}
	r, err := a.goodLetter(ctx, what)
	if err != nil {
		return err
	}
	a.heard = nil
	return a.ask(ctx, r)
}

func (a *auth) askWithoutToken(ctx context.Context, what string) error {
	r, err := a.goodLetter(ctx, what)
	if err != nil {
		return err
	}
	a.heard = nil
	return a.ask(ctx, tokenless(r))
}

// askByURL asks with TOKEN in the target replaced by the token, and none beside.
func (a *auth) askByURL(ctx context.Context, what string) error {
	r, err := a.goodLetter(ctx, what)
	if err != nil {
		return err
	}
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	r = tokenless(r)
	r.Target = strings.ReplaceAll(r.Target, "TOKEN", token)
	a.heard = nil
	return a.ask(ctx, r)
}

// token returns the daemon's present token.
func (a *auth) token(ctx context.Context) (string, error) {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return "", err
	}
	return d.Token(ctx)
}

// mayRotate says that the token of a daemon which scenarios share is left alone.
func (a *auth) mayRotate() error {
	if info := a.w.Target(); info.Serial {
		return a.w.Unobservable("%s is shared, so its token is not rotated", info.Name)
	}
	return nil
}

// rotate makes a new token and keeps the one of before.
func (a *auth) rotate(ctx context.Context) error {
	if err := a.mayRotate(); err != nil {
		return err
	}
	old, err := a.token(ctx)
	if err != nil {
		return err
	}
	r, err := a.letter(ctx, "POST /admin/token")
	if err != nil {
		return err
	}
	e, err := a.send(ctx, r)
	if err != nil {
		return err
	}
	var answer struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(e.answer.Body, &answer) != nil || answer.Token == "" || answer.Token == old {
		return fmt.Errorf("POST /admin/token answered %d and no new token", e.answer.Status)
	}
	a.w.Transcript.Secret(answer.Token)
	a.before, a.tokens = old, append(a.tokens, answer.Token)
	return nil
}

// presentToken presents a text as the token at each kind of door, as a caller
// there does.
func (a *auth) presentToken(ctx context.Context, what string) error {
	form, ok := tokenTexts[what]
	if !ok {
		return fmt.Errorf("nobody presents %q", what)
	}
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	text := form(token, a.before)
	a.w.Transcript.Secret(text)
	a.presented = append(a.presented, text)
	return a.askAt(ctx, slices.Concat(programDoors, []string{"GET /extension"}), func(r sim.Request) sim.Request {
		return withToken(r, text)
	})
}

// presentHeader presents the token in other headers than it should stand in.
func (a *auth) presentHeader(ctx context.Context, what string) error {
	form, ok := tokenHeaders[what]
	if !ok {
		return fmt.Errorf("nobody presents %q", what)
	}
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	return a.askAt(ctx, programDoors, func(r sim.Request) sim.Request {
		r = tokenless(r)
		for _, h := range form(token, another(token)) {
			r = r.With(h.Name, h.Value)
		}
		return r
	})
}

// programDoors are doors at which the token stands in the Authorization header.
var programDoors = []string{"POST /command", "GET /json/version", "POST /extension"}

// isLikeMissing asks again without a token and compares the answers.
func (a *auth) isLikeMissing(ctx context.Context) error {
	return a.judge(func(e *exchange) error {
		missing, err := a.send(ctx, tokenless(withoutExtras(e.request)))
		if err != nil {
			return err
		}
		got, want := e.answer, missing.answer
		switch {
		case in(got.Status):
			return a.w.Fail("let-in", "%s is let in: it is answered with %d", e, got.Status)
		case got.Status != want.Status:
			return a.w.Fail("status", "%s is refused with %d, and with %d without a token", e, got.Status, want.Status)
		case !bytes.Equal(got.Body, want.Body):
			return a.w.Fail("body", "%s is refused with %q, and with %q without a token", e, got.Body, want.Body)
		case !reflect.DeepEqual(undated(got.Header), undated(want.Header)):
			return a.w.Fail("header", "%s is refused with the header %v, and with %v without a token", e, got.Header, want.Header)
		}
		return nil
	})
}

// withoutExtras removes the headers in which presentHeader hides a token.
func withoutExtras(r sim.Request) sim.Request {
	for _, name := range []string{"Cookie", "X-Omw-Token", "Proxy-Authorization"} {
		r = without(r, name)
	}
	return r
}

func undated(h http.Header) http.Header {
	h = h.Clone()
	h.Del("Date")
	return h
}
