package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/user"
	"reflect"
	"slices"
	"strings"

	"github.com/cucumber/godog"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerPing(sc sentences, a *auth) {
	sc.Step(`^anybody asks for GET /ping$`, func(ctx context.Context) error { return a.ping(ctx, "") })
	sc.When(`^the extension without the token asks for GET /ping$`, func(ctx context.Context) error { return a.ping(ctx, sim.Chrome.Origin) })
	sc.Then(`^it tells a version$`, a.tellsVersion)
	sc.Then(`^it tells nothing of this machine$`, a.tellsNothingOfMachine)
	sc.Then(`^both answers tell the same$`, a.tellTheSame)
	sc.Then(`^it tells these fields alone$`, a.tellsFields)
	sc.Then(`^it tells the version of (Chrome|Firefox)'s welcome$`, a.tellsVersionOfWelcome)
}

// ping asks for GET /ping without a token.
func (a *auth) ping(ctx context.Context, origin string) error {
	r := sim.Request{Method: http.MethodGet, Target: "/ping"}
	if origin != "" {
		r = r.With("Origin", origin)
	}
	if err := a.ask(ctx, r); err != nil {
		return err
	}
	a.pings = append(a.pings, *a.last())
	return nil
}

// pinged returns the fields of the last answer.
func (a *auth) pinged() (map[string]jsontext.Value, error) {
	e := a.last()
	fields := map[string]jsontext.Value{}
	if e.answer.Status != http.StatusOK || json.Unmarshal(e.answer.Body, &fields) != nil {
		return nil, a.w.Fail("not-answered", "GET /ping is answered with %d and %d bytes that are not what it tells", e.answer.Status, len(e.answer.Body))
	}
	return fields, nil
}

func (a *auth) version() (string, error) {
	fields, err := a.pinged()
	if err != nil {
		return "", err
	}
	var version string
	if json.Unmarshal(fields["version"], &version) != nil || version == "" {
		return "", a.w.Fail("no-version", "GET /ping tells no version, but %s", fields["version"])
	}
	return version, nil
}

func (a *auth) tellsVersion() error {
	_, err := a.version()
	return err
}

// tellsNothingOfMachine looks in the whole answer for what belongs to this
// machine, to its user or to the daemon's process.
func (a *auth) tellsNothingOfMachine(ctx context.Context) error {
	if _, err := a.pinged(); err != nil {
		return err
	}
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return err
	}
	secrets := map[string]string{"the token": "", "its configuration directory": ""}
	if secrets["the token"], err = d.Token(ctx); err != nil {
		return err
	}
	dir, err := d.ConfigDir()
	if _, hidden := target.IsUnobservable(err); err != nil && !hidden {
		return err
	}
	secrets["its configuration directory"] = dir
	_, secrets["its port"], _ = net.SplitHostPort(d.Addr())
	secrets["the machine's name"], _ = os.Hostname()
	if u, err := user.Current(); err == nil {
		secrets["its user's home"], secrets["its user's name"] = u.HomeDir, u.Username
	}
	raw := a.last().answer.Raw
	for what, text := range secrets {
		// Shorter ones stand in any text.
		if len(text) >= 4 && bytes.Contains(raw, []byte(text)) {
			return a.w.Fail("told", "GET /ping tells %s", what)
		}
	}
	return nil
}

func (a *auth) tellTheSame() error {
	if len(a.pings) < 2 {
		return errors.New("GET /ping was not asked twice")
	}
	first, last := a.pings[0].answer, a.pings[len(a.pings)-1].answer
	if first.Status != last.Status || !bytes.Equal(first.Body, last.Body) || !reflect.DeepEqual(undated(first.Header), undated(last.Header)) {
		return a.w.Fail("told-apart", "GET /ping tells first %q, then %q", first.Body, last.Body)
	}
	return nil
}

func (a *auth) tellsFields(want *godog.Table) error {
	fields, err := a.pinged()
	if err != nil {
		return err
	}
	var names []string
	for _, row := range want.Rows[1:] {
		name, value := row.Cells[0].Value, row.Cells[1].Value
		names = append(names, name)
		if got := string(fields[name]); got == "" || (value != "" && got != fmt.Sprintf("%q", value)) {
			return a.w.Fail("field", "GET /ping tells %s as %q, not %q", name, got, value)
		}
	}
	for name := range fields {
		if !slices.Contains(names, name) {
			return a.w.Fail("told-more", "GET /ping tells %q beside %s", name, strings.Join(names, ", "))
		}
	}
	return nil
}

func (a *auth) tellsVersionOfWelcome(name string) error {
	version, err := a.version()
	if err != nil {
		return err
	}
	b, err := a.of(name)
	if err != nil {
		return err
	}
	if w, ok := b.Welcome(); !ok || w.DaemonVersion != version {
		return a.w.Fail("other-version", "GET /ping tells the version %q, the welcome %q", version, w.DaemonVersion)
	}
	return nil
}
