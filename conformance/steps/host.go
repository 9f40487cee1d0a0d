package steps

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/oh-my-webbridge/omw/sim"
)

func registerHost(sc sentences, a *auth) {
	sc.When(`^every path is asked for at the Host (.+?)(?: with ((?:X-|Forwarded)[^:]*): (.+))?$`, a.askAtHost)
	sc.When(`^every path is asked for with (no Host|no Host, in HTTP/1\.0|an empty Host|two Hosts, the right one (?:first|last))$`, a.askWithOddHost)
	sc.When(`^every path is asked for by the absolute target (\S+) at the Host (\S+)$`, a.askAbsolute)
	sc.When(`^OPTIONS \* is asked for (with the token|without the token|at the Host \S+)$`, a.askOptions)
	sc.When(`^what is wrong in (.+) is asked for at the Host (\S+)$`, a.askWrongAtHost)
	sc.When(`^the extension redeems it at the Host (\S+)$`, a.redeemAtHost)
	sc.Then(`^(?:it|every one) is turned away for its Host$`, a.isTurnedAwayForHost)
	sc.Then(`^every one is turned away for its Host, by the HTTP library or the daemon$`, a.isTurnedAwayByEither)
	sc.Then(`^every one is told of 127\.0\.0\.1$`, a.isToldOfLoopback)
}

// named returns a text of a feature with the daemon's PORT and the name of this
// MACHINE filled in.
func (a *auth) named(ctx context.Context, text string) (string, error) {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return "", err
	}
	_, port, err := net.SplitHostPort(d.Addr())
	if err != nil {
		return "", err
	}
	return machineNamed(strings.ReplaceAll(text, "PORT", port))
}

func machineNamed(text string) (string, error) {
	if !strings.Contains(text, "MACHINE") {
		return text, nil
	}
	name, err := os.Hostname()
	if err != nil {
		return "", fmt.Errorf("find the name of this machine: %w", err)
	}
	return strings.ReplaceAll(text, "MACHINE", name), nil
}

// askEverywhere asks at every door with a letter that is good but for change.
func (a *auth) askEverywhere(ctx context.Context, change func(*sim.Request)) error {
	return a.askAt(ctx, doors, func(r sim.Request) sim.Request {
		change(&r)
		return r
	})
}

func (a *auth) askAtHost(ctx context.Context, host, name, value string) error {
	host, err := a.named(ctx, host)
	if err != nil {
		return err
	}
	return a.askEverywhere(ctx, func(r *sim.Request) {
		r.Host = &host
		if name != "" {
			*r = r.With(name, value)
		}
	})
}

func (a *auth) askWithOddHost(ctx context.Context, what string) error {
	right, err := a.named(ctx, "127.0.0.1:PORT")
	if err != nil {
		return err
	}
	return a.askEverywhere(ctx, func(r *sim.Request) {
		other := "evil.example"
		switch what {
		case "no Host":
			r.NoHost = true
		case "no Host, in HTTP/1.0":
			r.NoHost, r.HTTP10 = true, true
		case "an empty Host":
			r.Host = new(string)
		case "two Hosts, the right one first":
			r.Host = &right
			*r = r.With("Host", other)
		case "two Hosts, the right one last":
			r.Host = &other
			*r = r.With("Host", right)
		}
	})
}

// askAbsolute asks in the form of RFC 9112, section 3.2.2.
func (a *auth) askAbsolute(ctx context.Context, prefix, host string) error {
	prefix, err := a.named(ctx, prefix)
	if err != nil {
		return err
	}
	host, err = a.named(ctx, host)
	if err != nil {
		return err
	}
	return a.askEverywhere(ctx, func(r *sim.Request) { r.Host, r.Target = &host, prefix+r.Target })
}

func (a *auth) askOptions(ctx context.Context, how string) error {
	r, err := a.letter(ctx, "OPTIONS *")
	if err != nil {
		return err
	}
	if how == "without the token" {
		r = tokenless(r)
	}
	if host, ok := strings.CutPrefix(how, "at the Host "); ok {
		r.Host = &host
	}
	a.heard = nil
	return a.ask(ctx, r)
}

// wrongLetter returns a command that is wrong in that way.
func (a *auth) wrongLetter(ctx context.Context, way string) (sim.Request, error) {
	r, err := a.letter(ctx, "POST /command")
	all := way == "everything"
	if way == "its token" || all {
		r = tokenless(r)
	}
	if way == "its path" || all {
		r.Target = "/no/such/path"
	}
	if way == "its method" || all {
		r.Method = http.MethodDelete
	}
	if way == "its media type" || all {
		r = without(r, "Content-Type").With("Content-Type", "text/plain")
	}
	if way == "its body" || all {
		r.Body = []byte(`{"action":`)
	}
	if way == "its size" {
		// Nothing of it has to be sent to be refused.
		size := int64(64 << 20)
		r.Body, r.ContentLength = nil, &size
	}
	return r, err
}

func (a *auth) askWrongAtHost(ctx context.Context, way, host string) error {
	host, err := a.named(ctx, host)
	if err != nil {
		return err
	}
	r, err := a.wrongLetter(ctx, way)
	if err != nil {
		return err
	}
	r.Host = &host
	a.heard = nil
	return a.ask(ctx, r)
}

func (a *auth) redeemAtHost(ctx context.Context, host string) error {
	host, err := a.named(ctx, host)
	if err != nil {
		return err
	}
	r, err := a.rightGuess()
	if err != nil {
		return err
	}
	r.Host = &host
	a.heard = nil
	return a.try(ctx, r)
}

// isTurnedAwayForHost wants 403. A stranger's HTTP library may say 400 before
// the daemon can.
func (a *auth) isTurnedAwayForHost() error {
	return a.judge(func(e *exchange) error {
		if e.answer.Status == http.StatusBadRequest {
			return a.w.Allow("library", "%s is refused with 400", e)
		}
		return a.turnedAway(e, http.StatusForbidden)
	})
}

// isTurnedAwayByEither also takes the end of the connection: an HTTP library
// that refuses a request before it has read the body may lose its answer.
func (a *auth) isTurnedAwayByEither() error {
	return a.each(func(e *exchange) error {
		if e.cut {
			return nil
		}
		return a.turnedAway(e, http.StatusForbidden, http.StatusBadRequest)
	})
}

func (a *auth) isToldOfLoopback() error {
	return a.judge(func(e *exchange) error {
		_, message := refusal(e.answer)
		if message == "" {
			return errors.New(e.String() + " is not refused in the words of the wire")
		}
		if !strings.Contains(message, "127.0.0.1") {
			return a.w.Fail("untold", "%s is refused with %q, which does not name 127.0.0.1", e, message)
		}
		return nil
	})
}
