package verdict_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

func whole() []verdict.Event {
	return []verdict.Event{
		&verdict.Header{Schema: verdict.Schema, Suite: "1", Scenarios: []verdict.Planned{{ID: "a", Rule: "A-01"}}, Rules: []verdict.Rule{{ID: "A-01"}}},
		&verdict.Started{Scenario: "a", Rule: "A-01", Offset: 5},
		&verdict.Step{Scenario: "a", Rule: "A-01", Step: "it is <so> & \"so\"", Cause: verdict.CauseCheck, Check: "A-01/x", Reason: "no"},
		&verdict.Finished{
			Scenario: "a", Rule: "A-01", Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "A-01/x", Reason: "no",
			Took: time.Second, Transcript: []world.Line{{At: 1, Actor: "agent", Dir: ">", Text: "line\nline"}},
		},
		&verdict.Footer{Planned: 1, Started: 1, Finished: 1, Failed: 1, Took: time.Minute},
	}
}

func lines(t *testing.T, events ...verdict.Event) []string {
	var b bytes.Buffer
	for _, e := range events {
		require.NoError(t, verdict.Write(&b, e))
	}
	return strings.SplitAfter(strings.TrimRight(b.String(), "\n"), "\n")
}

func TestStreamComesBackAsItWasWritten(t *testing.T) {
	events := whole()
	s, err := verdict.Read(strings.NewReader(strings.Join(lines(t, events...), "")))
	require.NoError(t, err)
	require.Equal(t, &verdict.Stream{
		Header: events[0].(*verdict.Header), Started: []*verdict.Started{events[1].(*verdict.Started)},
		Steps:    []*verdict.Step{events[2].(*verdict.Step)},
		Finished: []*verdict.Finished{events[3].(*verdict.Finished)}, Footer: events[4].(*verdict.Footer),
	}, s)
}

func TestStreamThatWasCutShort(t *testing.T) {
	all := lines(t, whole()...)
	for n := range all {
		_, err := verdict.Read(strings.NewReader(strings.Join(all[:n], "")))
		require.ErrorIs(t, err, verdict.ErrCut, "%d lines", n)
		_, err = verdict.Read(strings.NewReader(strings.Join(all[:n], "") + all[n][:len(all[n])/2]))
		require.ErrorIs(t, err, verdict.ErrCut, "%d lines and a half", n)
	}
}

func TestStreamInWrongOrder(t *testing.T) {
	all := lines(t, whole()...)
	last := all[4] + "\n"
	for _, tc := range []struct{ name, text, want string }{
		{"no header first", all[1] + all[0] + last, "line 1: the stream does not begin with its header"},
		{"two headers", all[0] + all[0] + last, "line 2: the stream has two headers"},
		{"more behind the footer", all[0] + last + all[1], "line 3: the stream goes on after its footer"},
		{"unknown type", all[0] + `{"type":"rumour"}` + "\n" + last, `line 2: the event type "rumour" is unknown`},
		{"unknown member", all[0] + `{"type":"started","colour":"red"}` + "\n" + last, `line 2: json: unknown field "colour"`},
		{"no JSON", all[0] + "hello\n" + last, "line 2: invalid character"},
		{"another schema", `{"type":"header","schema":2}` + "\n" + last, "the stream has schema 2, this suite reads 1"},
	} {
		_, err := verdict.Read(strings.NewReader(tc.text))
		require.ErrorContains(t, err, tc.want, tc.name)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestWriteFails(t *testing.T) {
	require.ErrorContains(t, verdict.Write(fullDisk{}, &verdict.Footer{}), "no space left")
}
