package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/cucumber/godog"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const table = "id\tsource\tlevel\trole\tjudged\tobserver\tlanes\twait\tbrowser\tallowed\trule\n" +
	"A-01\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t60s\t\tclamped=It is clamped\tOne.\n" +
	"A-02\tomw\tseed\tdaemon\tdaemon\twire\tvirtual, real\t\t\t\tTwo.\n" +
	"C-01\tomw\tseed\tdaemon\t\twire\tvirtual, real\t\t\t\tThree.\n"

// script is a plan of one feature of A-01 with these scenarios: a name, and
// its sentences separated by semicolons; tags stand in front of the name.
func script(t *testing.T, scenarios ...string) *plan.Plan {
	var b strings.Builder
	b.WriteString("Feature: F\n")
	for _, s := range scenarios {
		head, sentences, _ := strings.Cut(s, ": ")
		words := strings.Fields(head)
		tags, name := words[:len(words)-1], words[len(words)-1]
		if len(tags) == 0 || strings.HasPrefix(tags[0], "@wait") {
			tags = append([]string{"@A-01"}, tags...)
		}
		fmt.Fprintf(&b, "\n  %s\n  Scenario: %s\n", strings.Join(tags, " "), name)
		for sentence := range strings.SplitSeq(sentences, "; ") {
			fmt.Fprintf(&b, "    * %s\n", sentence)
		}
	}
	l, err := ledger.Parse(table)
	require.NoError(t, err)
	p, err := plan.Parse(fstest.MapFS{"x/f.feature": {Data: []byte(b.String())}}, l)
	require.NoError(t, err)
	return p
}

// register is the vocabulary of the scripts.
func register(sc *godog.ScenarioContext, w *world.World) {
	sc.Given(`^it works$`, func() {})
	sc.Given(`^it fails$`, func() error { return w.Fail("broken", "it is broken") })
	sc.Given(`^it cannot$`, func() error { return errors.New("no such thing") })
	sc.Given(`^it is pending$`, func() error { return godog.ErrPending })
	sc.Given(`^it skips$`, func() error { return godog.ErrSkip })
	sc.Given(`^it panics$`, func() { panic("oh no") })
	sc.Given(`^it is one of two$`, func() {})
	sc.Given(`^it is one of (two|three)$`, func(string) {})
	sc.Given(`^it is hidden$`, func() error { return fmt.Errorf("look: %w", w.Unobservable("it has no log")) })
	sc.Given(`^it is clamped$`, func() error { return w.Allow("clamped", "it was clamped") })
	sc.Given(`^it leaks$`, func() { go func() { select {} }() })
	sc.Given(`^it waits for ever$`, func() { select {} })
	sc.Given(`^it waits for its context$`, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	})
	sc.Given(`^it uses up (\S+)$`, func(ctx context.Context, text string) error {
		d, err := time.ParseDuration(text)
		if err != nil {
			return err
		}
		return w.Clock.Elapse(ctx, d)
	})
	sc.Given(`^it cleans up badly$`, func() {
		w.Cleanup(func() error { return errors.New("it is still dirty") })
	})
	sc.Given(`^a lie$`, func() {
		w.Honesty.Asked("m1")
		w.Honesty.Started("m1")
		w.Honesty.Answered("m1", world.Refused)
	})
	sc.Given(`^it says its secret and fails$`, func(ctx context.Context) error {
		d, err := w.Daemon(ctx)
		if err != nil {
			return err
		}
		token, err := d.Token(ctx)
		if err != nil {
			return err
		}
		w.Transcript.Sent("agent", []byte("here: "+token))
		return w.Fail("told", "it told %s", token)
	})
	sc.Given(`^a daemon answers (\d+)$`, func(ctx context.Context, want int) error {
		d, err := w.Daemon(ctx)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL("/ping"), nil)
		if err != nil {
			return err
		}
		resp, err := d.Transport("agent").RoundTrip(req)
		if err != nil {
			return err
		}
		if err := resp.Body.Close(); err != nil {
			return err
		}
		if resp.StatusCode != want {
			return w.Fail("status", "got %d", resp.StatusCode)
		}
		return nil
	})
	sc.Given(`^the daemon is told to die$`, func(ctx context.Context) error {
		d, err := w.Daemon(ctx)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL("/die"), nil)
		if err != nil {
			return err
		}
		// It may die before its answer has left.
		if resp, err := d.Transport("agent").RoundTrip(req); err == nil {
			_ = resp.Body.Close()
		}
		return w.Clock.Until(ctx, func() bool { return d.Died() != nil })
	})
	sc.Given(`^a hook fails afterwards$`, func() {})
	sc.After(func(ctx context.Context, s *godog.Scenario, _ error) (context.Context, error) {
		if s.Steps[0].Text == "a hook fails afterwards" {
			return ctx, errors.New("the hook failed")
		}
		return ctx, nil
	})
}

// server is a daemon that answers 200, and dies when it is asked to.
type server struct{}

func (server) Serve(ctx context.Context, ln net.Listener) error {
	die := make(chan struct{}, 1)
	s := &http.Server{ReadHeaderTimeout: time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/die" {
			die <- struct{}{}
		}
		_, _ = io.WriteString(w, "{}")
	})}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	var err error
	select {
	case <-ctx.Done():
	case <-die:
		err = errors.New("killed by a request")
	}
	_ = s.Close()
	<-served
	return err
}

func inProcess() target.Target {
	return &target.InProcess{New: func(dir string, _ protocol.Limits, _ *slog.Logger) (target.Server, error) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		return server{}, os.WriteFile(dir+"/config.json", []byte(`{"token":"t0psecret"}`), 0o600)
	}}
}

// lenient is a target of a stranger.
type lenient struct{ target.Target }

func (l lenient) Info() target.Info {
	info := l.Target.Info()
	info.Strict = false
	return info
}

// run runs a plan and judges it; the stream that was written while it ran must
// say the same.
func run(t *testing.T, p *plan.Plan, change func(*conformance.Run)) (*verdict.Stream, *verdict.Verdict) {
	t.Helper()
	r := &conformance.Run{
		Plan: p, Selection: plan.Selection{Role: ledger.Daemon, Rules: []string{"A-01"}}, Target: inProcess(),
		Lane: lane.NewVirtual(lane.InTest(t)), Register: register, Seed: 1, Jobs: 2, Scratch: t.TempDir(), Command: []string{"x"},
	}
	out := &bytes.Buffer{}
	r.Out = out
	if change != nil {
		change(r)
	}
	s, err := r.Do(context.Background())
	require.NoError(t, err)
	written, err := verdict.Read(bytes.NewReader(out.Bytes()))
	require.NoError(t, err)
	v, err := verdict.Judge(s)
	require.NoError(t, err)
	again, err := verdict.Judge(written)
	require.NoError(t, err)
	require.Equal(t, v.Exit, again.Exit)
	require.Equal(t, v.Counts, again.Counts)
	left, err := os.ReadDir(r.Scratch)
	require.NoError(t, err)
	require.Empty(t, left, "scratch directories are removed")
	return s, v
}
