package extension

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerDoor adds the sentences about how an extension comes in:
//
//	its upgrade is of /extension and offers omw.v1 and the token, byte for byte
//	its requests carry an Origin of an extension
//	its token stands nowhere else
//	it has asked for a proof before it sent the token
//	no two of its nonces are the same
//	it has sent the token to nobody
//	it has asked for the reason by POST /extension
func registerDoor(sc Sentences, x *ext) {
	sc.Then(`^its upgrade is of /extension and offers omw\.v1 and the token, byte for byte$`, x.offersToken)
	sc.Then(`^its requests carry the Origin of an extension$`, x.carriesOrigin)
	sc.Then(`^its token stands nowhere else$`, x.tokenElsewhere)
	sc.Then(`^it has asked for a proof before it sent the token$`, x.provenFirst)
	sc.Then(`^no two of its nonces are the same$`, x.noncesDiffer)
	sc.Then(`^it has sent the token to nobody$`, x.tokenUnsent)
}

var (
	chromeOrigin  = regexp.MustCompile(`^chrome-extension://[a-p]{32}$`)
	firefoxOrigin = regexp.MustCompile(`^moz-extension://[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)
)

// browserShownBy returns the browser whose extensions have such an Origin.
func browserShownBy(origin string) (protocol.Browser, bool) {
	switch {
	case chromeOrigin.MatchString(origin):
		return protocol.Chrome, true
	case firefoxOrigin.MatchString(origin):
		return protocol.Firefox, true
	}
	return "", false
}

// asked returns the requests so far, or the failure that there is none.
func (x *ext) asked(ctx context.Context) ([]sim.Asked, error) {
	var all []sim.Asked
	if !x.reached(ctx, func() bool { all = x.d.Requests(); return len(all) > 0 }) {
		return nil, x.fail("not-connected", "connects to the daemon at the address that it was given", "it has not come: %s", x.seen())
	}
	return all, nil
}

const givesToken = "sends the token as the subprotocol omw-token.TOKEN of its upgrade, beside omw.v1, and as the Bearer of POST /extension, and nowhere else"

func (x *ext) offersToken(ctx context.Context) error {
	all, err := x.asked(ctx)
	if err != nil {
		return err
	}
	upgrades := 0
	for i := range all {
		a := &all[i]
		if !a.Upgrades() {
			continue
		}
		upgrades++
		offered := a.Protocols()
		want := []string{protocol.Version, protocol.TokenProtocol + x.token}
		switch {
		case a.Target != "/extension":
			return x.fail("upgrade-target", "opens its WebSocket at /extension, with nothing behind it", "the upgrade at %s is of %s", x.at(a.At), a.Target)
		case len(offered) != 2 || !slices.Contains(offered, want[0]) || !slices.Contains(offered, want[1]):
			return x.fail("subprotocols", givesToken, "the upgrade at %s offers %d subprotocols: %q", x.at(a.At), len(offered), offered)
		}
	}
	if upgrades == 0 {
		return x.fail("no-upgrade", givesToken, "it has asked for no upgrade: %s", x.seen())
	}
	return nil
}

func (x *ext) carriesOrigin(ctx context.Context) error {
	all, err := x.asked(ctx)
	if err != nil {
		return err
	}
	b, err := x.browser()
	if err != nil {
		return err
	}
	for i := range all {
		a := &all[i]
		origin := a.Header.Get("Origin")
		if origin == "" && a.Method == "GET" && !a.Upgrades() {
			continue // Firefox sends none with a GET.
		}
		if shown, ok := browserShownBy(origin); !ok || shown != b {
			return x.fail("origin", "sends the Origin of an extension of its browser, which the browser itself writes",
				"%s %s at %s has the Origin %q; want one of %s", a.Method, a.Path(), x.at(a.At), origin, b.Title())
		}
	}
	return nil
}

// places returns where in a request the token stands.
func (x *ext) places(a *sim.Asked) []string {
	var where []string
	if strings.Contains(a.Target, x.token) {
		where = append(where, "the request target")
	}
	for name, values := range a.Header {
		if strings.Contains(strings.Join(values, ","), x.token) {
			where = append(where, "the header "+name)
		}
	}
	if bytes.Contains(a.Body, []byte(x.token)) {
		where = append(where, "the body")
	}
	slices.Sort(where)
	return where
}

// rightly reports whether a request may carry the token there.
func rightly(a *sim.Asked, place string) bool {
	switch {
	case a.Upgrades():
		return place == "the header Sec-Websocket-Protocol"
	case a.Method == "POST" && a.Target == "/extension":
		return place == "the header Authorization"
	}
	return false
}

func (x *ext) tokenElsewhere(ctx context.Context) error {
	all, err := x.asked(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		for _, place := range x.places(&all[i]) {
			if a := &all[i]; !rightly(a, place) {
				return x.fail("token-place", givesToken, "the token stands in %s of %s %s at %s", place, a.Method, a.Path(), x.at(a.At))
			}
		}
	}
	for _, s := range x.d.Sockets() {
		for _, h := range s.Heard() {
			if bytes.Contains(h.Payload, []byte(x.token)) {
				return x.fail("token-frame", givesToken, "the token stands in a frame of connection %d at %s", s.N, x.at(h.At))
			}
		}
	}
	return nil
}

// nonceOf returns the nonce of a request of GET /ping.
func nonceOf(a *sim.Asked) (string, bool) {
	if a.Method != "GET" || a.Path() != "/ping" {
		return "", false
	}
	_, query, _ := strings.Cut(a.Target, "?")
	return strings.CutPrefix(query, "nonce=")
}

const asksFirst = "asks GET /ping with a fresh nonce of 22 to 64 base64url characters before each connection, checks that the proof is " +
	"HMAC-SHA-256 of omw-ping: and that nonce under the token, and sends the token to nobody else"

var nonceShape = regexp.MustCompile(`^[A-Za-z0-9_-]{22,64}$`)

func (x *ext) provenFirst(ctx context.Context) error {
	all, err := x.asked(ctx)
	if err != nil {
		return err
	}
	proven, tokens := 0, 0
	for i := range all {
		a := &all[i]
		if nonce, ok := nonceOf(a); ok && a.Status == 200 {
			if !nonceShape.MatchString(nonce) {
				return x.fail("nonce-shape", asksFirst, "the nonce at %s is %q", x.at(a.At), nonce)
			}
			proven++
		}
		if len(x.places(a)) == 0 {
			continue
		}
		if a.Upgrades() {
			tokens++
		}
		if proven == 0 || tokens > proven {
			return x.fail("token-first", asksFirst, "%s %s at %s carries the token, and %d proofs had been asked for before it", a.Method, a.Path(), x.at(a.At), proven)
		}
	}
	if tokens == 0 {
		return fmt.Errorf("the extension has sent no token: %s", x.seen())
	}
	return nil
}

func (x *ext) noncesDiffer(ctx context.Context) error {
	all, err := x.asked(ctx)
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for i := range all {
		nonce, ok := nonceOf(&all[i])
		if !ok {
			continue
		}
		if seen[nonce] {
			return x.fail("nonce-again", asksFirst, "the nonce %q at %s was asked with before", nonce, x.at(all[i].At))
		}
		seen[nonce] = true
	}
	if len(seen) < 2 {
		return x.fail("no-nonce", asksFirst, "it has asked with %d nonces: %s", len(seen), x.seen())
	}
	return nil
}

func (x *ext) tokenUnsent(ctx context.Context) error {
	all, err := x.asked(ctx)
	if err != nil {
		return err
	}
	for i := range all {
		if where := x.places(&all[i]); len(where) > 0 {
			a := &all[i]
			return x.fail("token-to-stranger", asksFirst, "%s %s at %s carries the token in %s, to one who had not proved to know it",
				a.Method, a.Path(), x.at(a.At), listed(where))
		}
	}
	return nil
}
