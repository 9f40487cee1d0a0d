package world_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/plan"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

func TestTranscriptHasTheTimeOfTheLane(t *testing.T) {
	var lines []world.Line
	err := lane.NewVirtual(lane.InTest(t)).Run(10*time.Second, func(c lane.Clock, n target.Network) {
		w := world.New(world.Options{Scenario: &plan.Scenario{ID: "x", Rule: rule}, Clock: c, Network: n})
		w.Transcript.Sent("agent", []byte("POST /command"))
		_ = c.Elapse(context.Background(), 30*time.Second)
		w.Transcript.Received("agent", []byte("200"))
		w.Transcript.Note("suite", "%d seconds", 30)
		lines = w.Transcript.Lines()
	})
	require.NoError(t, err)
	require.Equal(t, []world.Line{
		{At: 0, Actor: "agent", Dir: ">", Text: "POST /command"},
		{At: 30 * time.Second, Actor: "agent", Dir: "<", Text: "200"},
		{At: 30 * time.Second, Actor: "suite", Dir: "-", Text: "30 seconds"},
	}, lines)
}

func TestRedaction(t *testing.T) {
	tr := newWorld(t, nil, 1, "x").Transcript
	tr.Sent("agent", []byte("s3cret before it was told"))
	tr.Secret("s3cret")
	tr.Secret("")
	require.Equal(t, "[secret] before it was told", tr.Lines()[0].Text)
	for in, want := range map[string]string{
		"Authorization: Bearer abc-_123":                   "Authorization: Bearer [token]",
		"authorization: bearer abc":                        "authorization: bearer [token]",
		"Sec-WebSocket-Protocol: omw.v1, omw-token.abc, x": "Sec-WebSocket-Protocol: omw.v1, omw-token.[token], x",
		`{"token":"abc"}`:                                  `{"token":"[token]"}`,
		`{"token" : "abc","x":1}`:                          `{"token" : "[token]","x":1}`,
		`{"code":"012345"}`:                                `{"code":"[code]"}`,
		`{"code":"outcome_unknown"}`:                       `{"code":"outcome_unknown"}`,
		"nothing to hide":                                  "nothing to hide",
	} {
		require.Equal(t, want, tr.Redact(in))
		// A reason quotes what an answer said.
		require.Equal(t, fmt.Sprintf("%q", want), tr.Redact(fmt.Sprintf("%q", in)))
	}
}

func TestLongTranscriptsKeepBeginningAndEnd(t *testing.T) {
	tr := newWorld(t, nil, 1, "x").Transcript
	for i := range 1000 {
		tr.Note("suite", "%d", i)
	}
	lines := tr.Lines()
	require.Len(t, lines, 401)
	require.Equal(t, "0", lines[0].Text)
	require.Equal(t, "199", lines[199].Text)
	require.Equal(t, "600 lines left out", lines[200].Text)
	require.Equal(t, "800", lines[201].Text)
	require.Equal(t, "999", lines[400].Text)
}

func TestLongTextsAreCutBetweenCharacters(t *testing.T) {
	tr := newWorld(t, nil, 1, "x").Transcript
	tr.Sent("a", bytes.Repeat([]byte("x"), 2048))
	tr.Sent("a", append(bytes.Repeat([]byte("x"), 2047), "ü!"...))
	tr.Sent("a", []byte{0xff, 'x'})
	lines := tr.Lines()
	require.Len(t, lines[0].Text, 2048)
	require.Equal(t, strings.Repeat("x", 2047)+"… (2050 bytes)", lines[1].Text)
	require.Equal(t, "\uFFFDx", lines[2].Text)
}

type replies func(*http.Request) (*http.Response, error)

func (f replies) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestRoundTripper(t *testing.T) {
	tr := newWorld(t, nil, 1, "x").Transcript
	rt := tr.RoundTripper("agent", replies(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/gone" {
			return nil, errors.New("no route")
		}
		return &http.Response{
			Status: "200 OK", StatusCode: 200, Header: http.Header{"X-A": {"1"}, "Date": {"today"}},
			Body: io.NopCloser(strings.NewReader(strings.Repeat("y", 5000))),
		}, nil
	}))
	req, err := http.NewRequest(http.MethodPost, "http://127.0.0.1/command?x=1", strings.NewReader(`{"action":"click"}`))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := rt.RoundTrip(req)
	require.NoError(t, err)
	require.Len(t, tr.Lines(), 1, "the answer is recorded once its body was read")
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.Len(t, body, 5000)
	require.NoError(t, resp.Body.Close())
	gone, err := http.NewRequest(http.MethodGet, "http://127.0.0.1/gone", http.NoBody)
	require.NoError(t, err)
	_, err = rt.RoundTrip(gone)
	require.Error(t, err)
	lines := tr.Lines()
	require.Equal(t, "POST /command?x=1\nContent-Type: application/json\n{\"action\":\"click\"}", lines[0].Text)
	require.True(t, strings.HasPrefix(lines[1].Text, "200 OK\nX-A: 1\nyyy"), fmt.Sprint(lines[1]))
	require.NotContains(t, lines[1].Text, "Date")
	require.Less(t, len(lines[1].Text), 2200)
	require.Equal(t, "GET /gone", lines[2].Text)
	require.Contains(t, lines[3].Text, "no route")
}
