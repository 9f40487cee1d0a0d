package steps

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/sim"
)

// hidingPlace is a place of a request in which a token or a code may stand by
// mistake, or because somebody tries.
type hidingPlace struct {
	door string
	put  func(r sim.Request, secret string) sim.Request
	// tokenOnly: six digits there may be anything, and an error may quote them.
	tokenOnly bool
}

var hidingPlaces = slices.Concat(inTargets(), inHeaders(), inBodies(), []hidingPlace{
	{door: "POST /command", put: func(r sim.Request, secret string) sim.Request { r.Method = secret; return r }},
	{door: "POST /command", put: func(r sim.Request, secret string) sim.Request { r.Host = &secret; return r }},
	{door: "POST /command", put: func(r sim.Request, secret string) sim.Request {
		r.Target = "http://" + secret + r.Target
		return r
	}},
})

func hidden(template, secret string) string { return strings.ReplaceAll(template, "SECRET", secret) }

func inTargets() (all []hidingPlace) {
	for _, t := range hidingTargets {
		method, path, _ := strings.Cut(t, " ")
		for _, with := range []func(sim.Request) sim.Request{same, tokenless} {
			all = append(all, hidingPlace{door: method + " /no/such/path", put: func(r sim.Request, secret string) sim.Request {
				r.Target = hidden(path, secret)
				return with(r)
			}})
		}
	}
	return all
}

func inHeaders() (all []hidingPlace) {
	for _, h := range hidingHeaders {
		for _, door := range []string{"POST /command", "GET /extension"} {
			all = append(all, hidingPlace{door: door, put: func(r sim.Request, secret string) sim.Request {
				return without(r, h.Name).With(hidden(h.Name, secret), hidden(h.Value, secret))
			}})
		}
	}
	return all
}

func inBodies() (all []hidingPlace) {
	for _, b := range hidingBodies {
		for _, door := range []string{"POST /command", "POST /pair"} {
			all = append(all, hidingPlace{door: door, tokenOnly: door == "POST /command", put: func(r sim.Request, secret string) sim.Request {
				r.Body = []byte(hidden(b, secret))
				return r
			}})
		}
	}
	return all
}

var hidingTargets = []string{
	"GET /SECRET", "GET //SECRET", "GET /ping?token=SECRET", "GET /ping?nonce=SECRET", "GET /ping?nonce=SECRET!",
	"GET /ping/SECRET", "GET /json/version?token=SECRET", "GET /json/SECRET", "GET /devtools/page/SECRET",
	"GET /devtools/browser/SECRET", "POST /command?token=SECRET", "POST /command/SECRET", "POST /SECRET/command",
	"POST /pair?code=SECRET", "POST /pair/SECRET", "POST /admin/status?token=SECRET", "GET /extension?token=SECRET",
	"GET /extension/SECRET", "GET /a/../SECRET", "GET /%53ECRET=SECRET", "GET /SECRET%", "BREW /SECRET",
}

var hidingHeaders = []sim.Header{
	{Name: "Authorization", Value: "SECRET"},
	{Name: "Authorization", Value: "Bearer SECRETx"},
	{Name: "Authorization", Value: "Bearer xSECRET"},
	{Name: "Authorization", Value: "Basic SECRET"},
	{Name: "Authorization", Value: "Bearer SECRET, Bearer x"},
	{Name: "Proxy-Authorization", Value: "Bearer SECRET"},
	{Name: "Cookie", Value: "token=SECRET"},
	{Name: "X-Token", Value: "SECRET"},
	{Name: "SECRET", Value: "x"},
	{Name: "SE CRET", Value: "SECRET"},
	{Name: "Origin", Value: "https://SECRET.example"},
	{Name: "Origin", Value: "chrome-extension://SECRET"},
	{Name: "Referer", Value: "http://127.0.0.1/?token=SECRET"},
	{Name: "User-Agent", Value: "SECRET"},
	{Name: "Content-Type", Value: "SECRET"},
	{Name: "Content-Type", Value: "application/json; charset=SECRET"},
	{Name: "Content-Encoding", Value: "SECRET"},
	{Name: "Sec-Fetch-Site", Value: "SECRET"},
	{Name: "Upgrade", Value: "SECRET"},
	{Name: "Sec-WebSocket-Protocol", Value: "SECRET"},
	{Name: "Sec-WebSocket-Protocol", Value: "omw.v1, SECRET"},
	{Name: "Sec-WebSocket-Protocol", Value: "omw.v1, omw-token.xSECRET"},
	{Name: "Sec-WebSocket-Protocol", Value: "omw.v2, omw-token.SECRET"},
	{Name: "Sec-WebSocket-Version", Value: "SECRET"},
	{Name: "Sec-WebSocket-Key", Value: "SECRET"},
	{Name: "Sec-WebSocket-Extensions", Value: "SECRET"},
	{Name: "Access-Control-Request-Headers", Value: "SECRET"},
	{Name: "Transfer-Encoding", Value: "SECRET"},
}

var hidingBodies = []string{
	`SECRET`,
	`"SECRET"`,
	`{"token":"SECRET"}`,
	`{"code":"SECRET"}`,
	`{"code":"SECRETx"}`,
	`{"code":["SECRET"]}`,
	`{"code":"SECRET","code":"SECRET"}`,
	`{"action":"tabs","token":"SECRET"}`,
	`{"action":"tabs","args":{"token":"SECRET"}}`,
	`{"action":"tabs","args":"SECRET"}`,
	`{"action":"tabs","session":["SECRET"]}`,
	`{"action":"tabs","browser":"SECRET"}`,
	`{"action":"tabs","timeout_ms":"SECRET"}`,
	`{"action":"click","args":{"selector":"SECRET","ref":"SECRET"}}`,
	`{"action":"screenshot","args":{"path":"SECRET"}}`,
	`{"action":"tabs","token":"SECRET"`,
	`{"action":"tabs"}SECRET`,
}

// sendInFrames sends the token in frames that are right and in some that break
// the connection, and at its end.
func (a *auth) sendInFrames(ctx context.Context) error {
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	b, err := a.of("Chrome")
	if err != nil {
		return err
	}
	for _, frame := range hidingFrames {
		if !b.Connected() {
			if err := b.join(ctx); err != nil {
				return fmt.Errorf("connect again: %w", err)
			}
		}
		if err := b.SendText([]byte(hidden(frame, token))); err != nil {
			return fmt.Errorf("send a frame: %w", err)
		}
		a.w.Clock.Settle()
	}
	if !b.Connected() {
		if err := b.join(ctx); err != nil {
			return fmt.Errorf("connect again: %w", err)
		}
	}
	return b.CloseWith(4000, token)
}

var hidingFrames = []string{
	`{"type":"SECRET"}`,
	`{"type":"event","event":"SECRET"}`,
	`{"type":"result","id":"SECRET","ok":true,"data":{}}`,
	`{"type":"result","id":"x","ok":false,"error":{"code":"internal","message":"SECRET"}}`,
	`{"type":"request","id":"x","action":"tabs","args":{"token":"SECRET"}}`,
	`{"type":"request","id":"x","action":"tabs","token":"SECRET"}`,
	`{"type":"hello","browser":"chrome","browser_version":"SECRET","extension_version":"SECRET","sessions":["SECRET"]}`,
	`{"type":"SECRET`,
	`SECRET`,
}
