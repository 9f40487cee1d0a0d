package steps

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerSocket(sc sentences, a *auth) {
	sc.When(`^the extension offers (.+)$`, a.offer)
	sc.Then(`^its socket opens under omw\.v1 alone$`, a.opens)
	sc.Then(`^its socket does not open$`, a.doesNotOpen)
	sc.Then(`^the answer does not repeat the token$`, a.doesNotEcho)
}

// offers are the header lines of the subprotocols that the extension offers,
// by their name in a feature. TOKEN and OTHER stand for the token and a wrong one.
var offers = map[string][]string{
	"nothing":                                       {},
	"omw.v1 and the token":                          {"omw.v1, omw-token.TOKEN"},
	"the token and omw.v1":                          {"omw-token.TOKEN, omw.v1"},
	"omw.v1 and the token without a blank":          {"omw.v1,omw-token.TOKEN"},
	"omw.v1 and the token in two lines":             {"omw.v1", "omw-token.TOKEN"},
	"omw.v1, chat and the token":                    {"omw.v1, chat, omw-token.TOKEN"},
	"omw.v1 alone":                                  {"omw.v1"},
	"the token alone":                               {"omw-token.TOKEN"},
	"OMW.V1 and the token":                          {"OMW.V1, omw-token.TOKEN"},
	"Omw.v1 and the token":                          {"Omw.v1, omw-token.TOKEN"},
	"omw.v2 and the token":                          {"omw.v2, omw-token.TOKEN"},
	"omw.v1.0 and the token":                        {"omw.v1.0, omw-token.TOKEN"},
	"omw.v1 and the token behind nothing":           {"omw.v1, TOKEN"},
	"omw.v1, another token and the token":           {"omw.v1, omw-token.OTHER, omw-token.TOKEN"},
	"omw.v1, the token and another token":           {"omw.v1, omw-token.TOKEN, omw-token.OTHER"},
	"omw.v1 alone, and the token as a program does": {"omw.v1"},
}

// prefixed reads "omw.v1 and the token behind OMW-TOKEN.".
const prefixed = "omw.v1 and the token behind "

func (a *auth) offer(ctx context.Context, what string) error {
	lines, ok := offers[what]
	if prefix, found := strings.CutPrefix(what, prefixed); found && !ok {
		lines, ok = []string{"omw.v1, " + prefix + "TOKEN"}, true
	}
	if !ok {
		return fmt.Errorf("no extension offers %q", what)
	}
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	r := upgrade("/extension", sim.Chrome.Origin)
	for _, h := range header("Sec-WebSocket-Protocol", lines...)(token, another(token)) {
		r = r.With(h.Name, h.Value)
	}
	if strings.HasSuffix(what, "as a program does") {
		r = r.With("Authorization", "Bearer "+token)
	}
	a.heard = nil
	return a.ask(ctx, r)
}

func (a *auth) opens() error {
	return a.judge(func(e *exchange) error {
		if e.answer.Status != http.StatusSwitchingProtocols {
			return a.w.Fail("not-opened", "the upgrade is answered with %d", e.answer.Status)
		}
		if got := e.answer.Header["Sec-Websocket-Protocol"]; !slices.Equal(got, []string{protocol.Version}) {
			return a.w.Fail("selected", "the daemon selects the subprotocols %q", got)
		}
		return nil
	})
}

func (a *auth) doesNotOpen() error {
	return a.judge(func(e *exchange) error {
		if e.answer.Status/100 != 4 {
			return a.w.Fail("opened", "the upgrade is answered with %d", e.answer.Status)
		}
		return nil
	})
}

func (a *auth) doesNotEcho(ctx context.Context) error {
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	return a.judge(func(e *exchange) error {
		if bytes.Contains(e.answer.Raw, []byte(token)) {
			return a.w.Fail("echoed", "the answer to %s holds the token", e)
		}
		return nil
	})
}
