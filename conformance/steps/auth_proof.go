package steps

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerProof(sc sentences, a *auth) {
	sc.When(`^anybody asks for a proof with a nonce of (\d+) characters$`, func(ctx context.Context, n int) error {
		return a.askProof(ctx, "", a.nonce(n))
	})
	sc.When(`^the extension asks for a proof with a nonce of (\d+) characters$`, func(ctx context.Context, n int) error {
		return a.askProof(ctx, sim.Chrome.Origin, a.nonce(n))
	})
	sc.When(`^anybody asks for a proof with a nonce that holds (.+)$`, a.askProofHolding)
	sc.When(`^anybody asks for no proof$`, func(ctx context.Context) error { return a.askProof(ctx, "", "") })
	sc.Then(`^it is the proof that the token makes$`, a.isProof)
	sc.Then(`^it is not the one of before$`, a.isAnotherProof)
	sc.Then(`^a proof is refused$`, a.isProofRefused)
	sc.Then(`^there is no proof$`, a.hasNoProof)
}

const base64url = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// nonce draws a nonce.
func (a *auth) nonce(n int) string {
	b := make([]byte, n)
	a.w.Rand(func(r *rand.Rand) {
		for i := range b {
			b[i] = base64url[r.IntN(len(base64url))]
		}
	})
	return string(b)
}

// nonces are nonces that hold something, by its name in a feature. They are
// long enough without it.
var nonces = map[string]string{
	"every letter": base64url[:52],
	"every digit, a hyphen and an underscore": base64url[40:],
	"a plus sign":    "AAAAAAAAAAAAAAAAAAAAAAAA+A",
	"a slash":        "AAAAAAAAAAAAAAAAAAAAAAAA/A",
	"an equals sign": "AAAAAAAAAAAAAAAAAAAAAAAAA=",
	"a blank":        "AAAAAAAAAAAAAAAAAAAAAAAA A",
	"a dot":          "AAAAAAAAAAAAAAAAAAAAAAAA.A",
	"a tilde":        "AAAAAAAAAAAAAAAAAAAAAAAA~A",
	"a colon":        "AAAAAAAAAAAAAAAAAAAAAAAA:A",
	"a line break":   "AAAAAAAAAAAAAAAAAAAAAAAA\nA",
	"a NUL":          "AAAAAAAAAAAAAAAAAAAAAAAA\x00A",
	"an umlaut":      "AAAAAAAAAAAAAAAAAAAAAAAAäA",
	"nothing":        "",
}

func (a *auth) askProofHolding(ctx context.Context, what string) error {
	nonce, ok := nonces[what]
	if !ok {
		return fmt.Errorf("no nonce holds %q", what)
	}
	return a.askProofAt(ctx, "", "/ping?nonce="+url.QueryEscape(nonce), nonce)
}

// askProof asks without a token, as whoever does not know yet to whom it talks.
func (a *auth) askProof(ctx context.Context, origin, nonce string) error {
	path := "/ping"
	if nonce != "" {
		path += "?nonce=" + nonce
	}
	return a.askProofAt(ctx, origin, path, nonce)
}

func (a *auth) askProofAt(ctx context.Context, origin, path, nonce string) error {
	r := sim.Request{Method: http.MethodGet, Target: path}
	if origin != "" {
		r = r.With("Origin", origin)
	}
	if err := a.ask(ctx, r); err != nil {
		return err
	}
	a.nonces = append(a.nonces, nonce)
	if a.last().answer.Status != http.StatusUnauthorized {
		return nil
	}
	// That GET /ping needs no token is for AUTH-06 to say.
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	a.heard = a.heard[:len(a.heard)-1]
	return a.ask(ctx, withToken(r, token))
}

// proof returns the proof in an answer, "" if there is none.
func (e *exchange) proof() string {
	var answer struct {
		Proof string `json:"proof"`
	}
	_ = json.Unmarshal(e.answer.Body, &answer)
	return answer.Proof
}

func (a *auth) isProof(ctx context.Context) error {
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	e, nonce := a.last(), a.nonces[len(a.nonces)-1]
	switch got := e.proof(); {
	case e.answer.Status != http.StatusOK || got == "":
		return a.w.Fail("no-proof", "GET /ping with a nonce of %d characters is answered with %d and no proof", len(nonce), e.answer.Status)
	case got != protocol.Proof(token, nonce):
		return a.w.Fail("wrong-proof", "GET /ping answers %q, which the token and the nonce %q do not make", got, nonce)
	}
	return nil
}

func (a *auth) isAnotherProof() error {
	if len(a.heard) < 2 {
		return errors.New("no proof was asked for before")
	}
	if before := a.heard[len(a.heard)-2]; before.proof() == a.last().proof() {
		return a.w.Fail("same-proof", "two nonces have the same proof")
	}
	return nil
}

func (a *auth) isProofRefused() error {
	e := a.last()
	if e.proof() != "" {
		return a.w.Fail("proved", "GET /ping proves the nonce %q", a.nonces[len(a.nonces)-1])
	}
	if e.answer.Status != http.StatusBadRequest {
		return a.w.Fail("status", "GET /ping with the nonce %q is answered with %d, not 400", a.nonces[len(a.nonces)-1], e.answer.Status)
	}
	return nil
}

func (a *auth) hasNoProof() error {
	e := a.last()
	if e.answer.Status != http.StatusOK {
		return a.w.Fail("status", "GET /ping without a nonce is answered with %d", e.answer.Status)
	}
	if e.proof() != "" {
		return a.w.Fail("unasked-proof", "GET /ping without a nonce answers a proof")
	}
	return nil
}
