package player_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim/diagram"
	"github.com/oh-my-webbridge/omw/sim/tape"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.WriteFile(file, got, 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got), "run go test ./conformance/player -run Golden -update")
}

// TestGolden has a transcript and a diagram of a tape that is as it says and of
// one that is not, as people read them.
func TestGolden(t *testing.T) {
	right, ok := examples.Find("outcome-unknown-dropped-link")
	require.True(t, ok)
	wrong := parse(t, "chrome join sessions=shop\nagent do a1 click ref=@e4 session=shop\n+7s\nchrome drop rst\nagent expect a1 ok at=7s  # it cannot know\nchrome expect nothing\n")
	for name, tp := range map[string]*tape.Tape{"right": right, "wrong": wrong} {
		tr := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()})
		require.Equal(t, name == "right", tr.OK())
		var text, drawn bytes.Buffer
		require.NoError(t, tr.WriteText(&text))
		golden(t, name+".txt", text.Bytes())
		require.NoError(t, diagram.Text(&drawn, tr.Diagram()))
		golden(t, name+".diagram.txt", drawn.Bytes())
	}
}

// all is everything that is ever shown of a transcript.
func all(t *testing.T, tr *player.Transcript) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, json.NewEncoder(&out).Encode(tr))
	require.NoError(t, tr.WriteText(&out))
	require.NoError(t, diagram.Text(&out, tr.Diagram()))
	require.NoError(t, diagram.SVG(&out, tr.Diagram()))
	return out.String()
}

// TestNoTokenInATranscript says the daemon's token in every place where a tape
// can, and has it broken by each that can fail.
func TestNoTokenInATranscript(t *testing.T) {
	token := strings.Repeat("t", 43)
	for _, script := range []string{
		"chrome join sessions=shop version=TOKEN\nagent do a1 evaluate code=TOKEN session=shop\nchrome reply a1 data={\"value\":\"TOKEN\"}\nagent expect a1 data={\"value\":\"x\"}\n",
		"chrome join sessions=shop\nagent do a1 evaluate code=TOKEN session=shop\nchrome error a1 page_error message=TOKEN\nagent expect a1 message=xTOKEN\n",
		"chrome join sessions=shop\nagent send a1 POST /TOKEN TOKEN header=\"X: TOKEN\"\nagent expect a1 status=599\n-- TOKEN --\nTOKEN\n",
		"chrome connect\nchrome frame {\"token\":\"TOKEN\"}\nchrome expect nothing\nagent send a1 GET /TOKEN\nagent expect a1 error=busy\n",
		"chrome join sessions=TOKEN\nagent do a1 click ref=TOKEN session=TOKEN\nchrome expect a1 session=x\n",
		"chrome join\nchrome close 3000 reason=TOKEN\nchrome expect close 1000 reason=TOKEN\n",
	} {
		tr := playOn(t, parse(t, strings.ReplaceAll(script, "TOKEN", token)), player.Options{Lane: virtual(t), Target: lying(&liar{status: idle}), Lenient: true})
		require.NotContains(t, all(t, tr), token, script)
		require.Contains(t, all(t, tr), "[token]", script)
	}
}

// TestNoPairingCodeInATranscript: a code that the daemon gives out on the tape's
// asking, and the token that one is redeemed for, are in no transcript.
func TestNoPairingCodeInATranscript(t *testing.T) {
	w := &wire{near: map[string]*tapped{}, far: map[string]*tapped{}}
	tr := playOn(t, parse(t, "agent send p POST /admin/pair {}\nagent expect p status=200 data={\"x\":1}\n"), player.Options{Lane: virtual(t), Target: over{ours(), w}})
	var answer struct{ Code, Token string }
	for _, far := range w.far {
		for _, p := range far.sent {
			_, body, _ := strings.Cut(string(p.data), "\r\n\r\n")
			_ = json.Unmarshal([]byte(body), &answer)
		}
	}
	require.Len(t, answer.Code, 6)
	require.NotContains(t, all(t, tr), answer.Code)
	require.Contains(t, all(t, tr), "[code]")
}

// TestTheSameTwice: a tape that is played twice has the same transcript, with
// the tape's names in place of the ids that the daemon makes up.
func TestTheSameTwice(t *testing.T) {
	script := "chrome join sessions=shop\nfirefox run\nagent do a evaluate code=1 session=shop times=20\nagent2 do own evaluate code=1 session=shop as=mine\nagent do b evaluate code=1 session=b browser=firefox\n+15s\n" +
		"chrome release a.1\nagent expect a.1 ok\nchrome stall\n+1s\nchrome drop rst\nagent expect a.* \nagent2 expect own\n+1s\nchrome join\nfirefox drop fin\nagent expect b error=outcome_unknown\n+2s\n"
	first := all(t, play(t, script))
	for range 10 {
		require.Equal(t, first, all(t, play(t, script)))
	}
	require.Contains(t, first, `<a.20@chrome>`)
	require.Contains(t, first, `\"id\":\"mine\"`)
}

func TestLongMessagesAreCut(t *testing.T) {
	const most = 2 << 10
	text := func(n int) string {
		tr := play(t, "chrome join\nchrome frame file\n-- file --\n"+strings.Repeat("x", n)+"\n")
		for _, e := range tr.Events {
			if strings.HasPrefix(e.Text, "xxx") {
				return e.Text
			}
		}
		require.Fail(t, "it is not there")
		return ""
	}
	require.Equal(t, strings.Repeat("x", most), text(most))
	require.Equal(t, strings.Repeat("x", most)+"…", text(most+1))
}

// TestOptions: a seed of one's own, what is observed, and going on behind a line
// that fails.
func TestOptions(t *testing.T) {
	tp := parse(t, "agent do a1 click ref=@e4\nagent expect a1 ok\nagent expect a1 error=not_connected\nagent expect a1 error=busy\n")
	seed := uint64(9)
	var seen []player.Event
	tr := playOn(t, tp, player.Options{Lane: virtual(t), Target: ours(), Seed: &seed, Lenient: true, Observe: func(e player.Event) { seen = append(seen, e) }})
	require.Equal(t, uint64(9), tr.Seed)
	require.ElementsMatch(t, tr.Events, seen)
	require.Equal(t, []string{
		`3 agent   expect a1 ok: failed a1 was told not_connected (delivered "no"); want ok`,
		`4 agent   expect a1 error=not_connected: held `,
		`5 agent   expect a1 error=busy: failed a1 was told not_connected (delivered "no"); want busy`,
	}, verdicts(tr))
	require.Equal(t, 3, tr.Failed().Line, "the first")
	require.Equal(t, uint64(1), playOn(t, tp, player.Options{Lane: virtual(t), Target: ours()}).Seed)
}

// TestWhatCannotBePlayed: the error says it, with the line, and is no verdict.
func TestWhatCannotBePlayed(t *testing.T) {
	nobody, err := target.URL(&target.File{Name: "x", URL: "http://127.0.0.1:1", Token: target.Source{Value: strings.Repeat("t", 43)}})
	require.NoError(t, err)
	_, err = player.Play(t.Context(), parse(t, "daemon stop\n"), player.Options{Lane: lane.NewReal(), Target: nobody})
	_, is := errors.AsType[*target.StartError](err)
	require.True(t, is, "%v", err)

	_, err = player.Play(t.Context(), parse(t, "chrome join\ndaemon stop\nchrome expect close\n"), player.Options{Lane: virtual(t), Target: fixed{ours()}})
	_, is = target.IsUnobservable(err)
	require.True(t, is, "%v", err)
	require.ErrorContains(t, err, "x.tape:3: ")

	tr := play(t, "chrome join\ndaemon kill\nchrome expect close 1001 at=0s\n+1s\ndaemon start\nchrome join\n")
	require.True(t, tr.OK(), tr.Verdict())
	require.Equal(t, time.Second, tr.Elapsed)
}

// fixed is a target whose daemon cannot be stopped by a tape.
type fixed struct{ target.Target }

func (f fixed) Start(ctx context.Context, s target.Setup) (target.Instance, error) {
	i, err := f.Target.Start(ctx, s)
	return unstoppable{i}, err
}

type unstoppable struct{ target.Instance }

func (unstoppable) Stop(context.Context) error { return target.Hidden("it runs on") }

// TestWithoutAgents: a tape in which no agent acts names the commands by their
// coming; it is for a daemon whose agents are outside.
func TestWithoutAgents(t *testing.T) {
	tr := play(t, "chrome join sessions=shop\nchrome expect a1 within=1s\n")
	require.Contains(t, tr.Verdict(), "x.tape:3: not as the tape says: no command has come")
	l := &liar{status: idle}
	tp := parse(t, "chrome join sessions=shop\n+2s\nchrome expect a1 action=evaluate session=shop\nchrome expect a2 action=click\nchrome reply a1 data={\"value\":2}\nchrome expect nothing\n")
	tr = playOn(t, tp, player.Options{Lane: virtual(t), Target: outside{lying(l), l}})
	require.True(t, tr.OK(), tr.Verdict())
}
