package watch_test

import (
	"context"
	"net"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/watch"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/door"
)

// through returns a client of the SDK that reaches a daemon through a proxy,
// and what the proxy's judge says in the end.
func through(t *testing.T, answer func(door.Request) door.Reply) (*client.Client, func() *verdict.Stream) {
	t.Helper()
	daemon := door.New(door.Config{Token: token, Answer: answer})
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- daemon.Serve(ctx, ln) }()
	judge := watch.New(func() []string { return []string{token} })
	proxy := httptest.NewServer(watch.NewProxy(ln.Addr().String(), judge, nil))
	t.Cleanup(func() {
		proxy.Close()
		stop()
		require.NoError(t, <-served)
	})
	c, err := client.New(client.Options{Addr: strings.TrimPrefix(proxy.URL, "http://"), Token: token})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	began := time.Now()
	return c, func() *verdict.Stream {
		rules, err := ledger.Load()
		require.NoError(t, err)
		s, err := judge.Stream(watch.Run{Ledger: rules, Suite: "1", Client: "SDK", Command: []string{"watch"}, Began: began, Ended: time.Now()})
		require.NoError(t, err)
		return s
	}
}

func outcomes(s *verdict.Stream) map[string]verdict.Outcome {
	all := map[string]verdict.Outcome{}
	for _, f := range s.Finished {
		all[f.Rule] = f.Outcome
	}
	return all
}

func TestAGoodClientIsWatched(t *testing.T) {
	c, verdicts := through(t, func(q door.Request) door.Reply {
		if strings.Contains(string(q.Body), "click") {
			return door.Fail(protocol.Unknown(protocol.DeliveredUnknown, "look at the page"))
		}
		return door.OK(`{"text":"","nodes":0,"truncated":false,"url":"","title":""}`)
	})
	_, err := c.Session("shop").Click(t.Context(), client.ClickArgs{Ref: "@e5"})
	require.Error(t, err)
	_, err = c.Session("shop").Snapshot(t.Context(), client.SnapshotArgs{})
	require.NoError(t, err)
	_, err = c.Session("shop").Click(t.Context(), client.ClickArgs{Ref: "@e5"})
	require.Error(t, err)
	s := verdicts()
	require.Equal(t, map[string]verdict.Outcome{
		watch.RuleHeader: verdict.Passed, watch.RuleProof: verdict.Passed, watch.RuleRepeat: verdict.Passed,
		watch.RuleID: verdict.Unobservable, watch.RuleBusy: verdict.Unobservable,
	}, outcomes(s))
	v, err := verdict.Judge(s)
	require.NoError(t, err)
	require.Equal(t, verdict.Conformant, v.Exit)
}

func TestAClientThatRepeatsIsCaughtThroughTheProxy(t *testing.T) {
	c, verdicts := through(t, func(door.Request) door.Reply { return door.Cut() })
	for range 2 {
		_, err := c.Session("shop").Click(t.Context(), client.ClickArgs{Ref: "@e5"})
		require.Error(t, err)
	}
	s := verdicts()
	require.Equal(t, verdict.Failed, outcomes(s)[watch.RuleRepeat])
	v, err := verdict.Judge(s)
	require.NoError(t, err)
	require.Equal(t, verdict.Nonconformant, v.Exit)
}

func TestNothingSeenIsNoPass(t *testing.T) {
	_, verdicts := through(t, nil)
	v, err := verdict.Judge(verdicts())
	require.NoError(t, err)
	require.Equal(t, verdict.NotRun, v.Exit)
}

func TestLinesHoldNoWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now()
		lines := watch.Lines(now, watch.Asked{
			Seq: 1, At: now, Method: "POST", Target: "/command?token=" + token,
			Body: []byte(`{"action":"type","args":{"ref":"@e1","text":"my words"}}`),
		}, watch.Answered{Seq: 1, At: now.Add(time.Second), Status: 200, Body: []byte(unknown)})
		require.Len(t, lines, 2)
		require.Equal(t, "request 1: POST /command type", lines[0].Text)
		require.Equal(t, "request 1: 200 outcome_unknown", lines[1].Text)
		require.Equal(t, time.Second, lines[1].At)
	})
}
