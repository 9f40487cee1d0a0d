package chrome_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	omw "github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	sites "github.com/oh-my-webbridge/omw/sim/page"
	"github.com/oh-my-webbridge/omw/sim/record"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// An order in a real Chromium is recorded. Its tape plays the same without any
// browser, in virtual time; and the same agent in the simulated browser, which
// loads the same shop, is answered the same, word by word (KIT-18).
func TestTheTapeOfAnOrder(t *testing.T) {
	t.Parallel()
	recording := recordBefore(t, startDaemon(t), "an agent buys tea in a real Chromium")
	live := recording.rig(t)
	live.browser = startBrowser(t)
	live.pair(t, recording.daemon.client(t))
	placesAnOrder(t, live)
	taped := recording.tape(t)

	text := string(taped.Format())
	for _, secret := range []string{live.token(t), "Karen Blixen", "karen@example.com", "Rungsted Strandvej"} {
		require.NotContains(t, text, secret)
	}
	again, err := tape.Parse("order.tape", []byte(text))
	require.NoError(t, err)
	for name, how := range map[string]lane.Lane{"virtual": lane.NewVirtual(lane.InTest(t)), "real": lane.NewReal()} {
		played, err := player.Play(soon(t), again, player.Options{Lane: how, Target: ours})
		require.NoError(t, err)
		require.True(t, played.OK(), "%s: %s", name, played.Verdict())
	}

	recording = recordBefore(t, startDaemon(t), "an agent buys tea in the simulated browser")
	simulated := recording.rig(t)
	b := sim.New(sim.Config{
		Dial: new(net.Dialer).DialContext, Addr: recording.addr, Token: simulated.token(t), StrictTabs: true, SiteOnly: true, Site: served,
	})
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	require.NoError(t, b.Connect(soon(t)))
	placesAnOrder(t, simulated)
	require.Equal(t, told(t, taped), told(t, recording.tape(t)))
}

// ours is the daemon, in this process.
var ours = &target.InProcess{New: func(dir string, l protocol.Limits, log *slog.Logger) (target.Server, error) {
	return omw.New(omw.Config{Dir: dir, Version: "0", Limits: l, Log: log})
}}

// served loads what the servers of a test serve.
var served = sites.SiteFunc(func(ctx context.Context, r sites.Request) (sites.Response, error) {
	request, err := http.NewRequestWithContext(ctx, r.Method, r.URL, bytes.NewReader(r.Body))
	if err != nil {
		return sites.Response{}, err
	}
	request.Header = r.Header.Clone()
	answer, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		return sites.Response{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(answer.Body)
	return sites.Response{Status: answer.StatusCode, Header: answer.Header, Body: body, URL: r.URL}, err
})

// recording is a recorder before a daemon.
type recording struct {
	*record.Recorder
	daemon *daemon
	addr   string
}

func recordBefore(t *testing.T, d *daemon, title string) *recording {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	r := &recording{record.New(record.Config{Upstream: d.addr, Title: title}), d, ln.Addr().String()}
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- r.Serve(ctx, ln) }()
	t.Cleanup(func() {
		stop()
		<-served
	})
	return r
}

// rig is an agent that speaks through the recorder, and so does its browser.
func (r *recording) rig(t *testing.T) *rig {
	through := *r.daemon
	through.addr = r.addr
	agent, err := client.New(client.Options{Addr: r.addr, Token: r.daemon.token(t)})
	require.NoError(t, err)
	t.Cleanup(agent.Close)
	return &rig{daemon: &through, agent: agent}
}

func (r *recording) tape(t *testing.T) *tape.Tape {
	taped, err := r.Tape()
	require.NoError(t, err)
	return taped
}

// told is what the agent of a tape asked and what the browser answered it, but for
// what the machine and the browser choose: the port of the shop, the number of the
// tab and how much time has passed.
func told(t *testing.T, taped *tape.Tape) string {
	t.Helper()
	var out strings.Builder
	for _, line := range taped.Lines {
		agent := tape.RoleOf(line.Actor) == tape.Agent
		if !agent && line.Verb != "reply" {
			continue
		}
		fmt.Fprintln(&out, line.Actor, line.Verb, line.Words, arguments(line))
		if name, ok := line.Arg("file"); ok {
			file, ok := taped.File(name)
			require.True(t, ok, name)
			fmt.Fprintln(&out, strings.ReplaceAll(canonical(file.Text), `\n`, "\n"))
		}
	}
	text := regexp.MustCompile(`127\.0\.0\.1:[0-9]+`).ReplaceAllString(out.String(), "shop.test")
	return regexp.MustCompile(`"tab":[0-9]+`).ReplaceAllString(text, `"tab":1`)
}

// arguments are those of a line, without the time that was left for a command.
func arguments(line tape.Line) []string {
	var all []string
	for _, arg := range line.Args {
		if arg.Key != "timeout" {
			all = append(all, arg.Key+"="+canonical(arg.Value))
		}
	}
	return all
}

// canonical is JSON with its members in order; what is none stays as it is.
func canonical(text string) string {
	v := jsontext.Value(text)
	if v.Canonicalize() != nil {
		return text
	}
	return string(v)
}
