package sequence_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report/sequence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden draws scenarios that failed in real runs: of broken daemons, and
// of broken clients and extensions in testdata/roles.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	others, err := filepath.Glob("testdata/roles/*.json")
	require.NoError(t, err)
	require.Len(t, append(files, others...), 10)
	for _, file := range append(files, others...) {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var e verdict.Finished
		require.NoError(t, json.Unmarshal(data, &e))
		role := ledger.Daemon
		if filepath.Base(filepath.Dir(file)) == "roles" {
			name, _, _ := strings.Cut(filepath.Base(file), "-")
			role = ledger.Role(name)
		}
		var got bytes.Buffer
		require.NoError(t, diagram.Text(&got, sequence.Of(role, &e)))
		golden := strings.TrimSuffix(file, "json") + "txt"
		if *update {
			require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), file)
	}
}

// says is a transcript: "agent > text", a line every millisecond.
func says(lines ...string) []world.Line {
	var all []world.Line
	for i, l := range lines {
		part := strings.SplitN(l, " ", 3)
		all = append(all, world.Line{At: time.Duration(i) * time.Millisecond, Actor: part[0], Dir: part[1], Text: part[2]})
	}
	return all
}

// failure is a scenario that failed after all of the lines were written.
func failure(reason string, lines ...string) *verdict.Finished {
	return &verdict.Finished{
		Outcome: verdict.Failed, Cause: verdict.CauseCheck, Check: "A-01/x", Reason: reason, Elapsed: time.Second, Transcript: says(lines...),
	}
}

// arrows are the events of a diagram, a line each; the marked ones begin with !.
func arrows(d diagram.Diagram) []string {
	var all []string
	for _, e := range d.Events {
		line := fmt.Sprintf("%s>%s %s", e.From, e.To, e.Label)
		switch e.Kind {
		case diagram.Note:
			line = fmt.Sprintf("%s: %s", e.From, e.Label)
		case diagram.Drop:
			line = fmt.Sprintf("%s x %s %s", e.From, e.To, e.Label)
		}
		if e.Marked {
			line = "! " + line
		}
		all = append(all, line)
	}
	return all
}

func TestWhatALineIs(t *testing.T) {
	d := sequence.Of(ledger.Daemon, failure("never",
		`agent > POST /command`+"\n"+`{"action":"click","id":"a","session":"shop"}`,
		`agent > POST /command`+"\n"+`{"action":"type","id":"b"}`,
		`agent > GET /ping?nonce=0123456789abcdef&x=1`,
		`chrome < {"type":"command","id":"0123456789abcdef","action":"navigate","args":{"url":"http://x/"},"session":"shop"}`,
		`chrome > {"type":"result","id":"0123456789abcdef","ok":false,"error":{"code":"tab_gone"}}`,
		`agent < 200`+"\n"+`{"id":"b","ok":true}`,
		`agent < 503 Service Unavailable`+"\n"+`{"id":"a","ok":false,"error":{"code":"busy"}}`,
		`agent < HTTP/1.1 200 OK`+"\r\n\r\n"+`{"name":"omw"}`,
		`firefox > moz-extension://x`,
		`firefox > {"type":"hello","browser":"firefox"}`,
		`firefox > {"type":"event","event":"tab_closed"}`,
		`firefox > {"type":"ping"}`,
		`firefox > 1000 bye`,
		`firefox < 1005 `,
		`firefox < failed to get reader`,
		`agent - m1 got no answer: reset`,
		`chrome - could not say it`,
		`suite - 3 lines left out`,
		`chrome < {"type":"command","id":"zz","action":"upload","args":{"files":["AAAA… (9000 bytes)`,
		`chrome > no frame at all`,
	))
	require.Equal(t, []string{"agent", "daemon", "chrome", "firefox"}, d.Actors)
	require.Equal(t, []string{
		"agent>daemon /command click a (shop)",
		"agent>daemon /command type b",
		"agent>daemon GET /ping?nonce=…&x=1",
		"daemon>chrome command #1 navigate http://x/ (shop)",
		"chrome>daemon result #1 tab_gone to navigate",
		"daemon>agent 200 ok b to type",
		"daemon>agent 503 busy a to click",
		"daemon>agent 200 to GET /ping?nonce=…&x=1",
		"firefox>daemon connects",
		"firefox>daemon hello firefox",
		"firefox>daemon event tab_closed",
		"firefox>daemon ping",
		"firefox>daemon close 1000 bye",
		"daemon>firefox close",
		"daemon x firefox ended: failed to get reader",
		"agent x daemon m1 got no answer: reset",
		"chrome: could not say it",
		": 3 lines left out",
		"daemon>chrome command zz upload",
		"chrome>daemon no frame at all",
		"! : here it failed",
	}, arrows(d))
}

// TestAnswersAreNotGuessed: of two requests that wait, an answer without an id
// is for neither.
func TestAnswersAreNotGuessed(t *testing.T) {
	d := sequence.Of(ledger.Daemon, failure("never", "a > GET /one", "a > GET /two", "a < 200\n", "b > GET /three", "b < 404\n"))
	require.Equal(t, []string{"daemon>a 200", "b>daemon GET /three", "daemon>b 404 to GET /three"}, arrows(d)[2:5])
}

func TestRolesSayWhoIsTested(t *testing.T) {
	lines := []string{"daemon < GET /ping", "daemon > 200\nbusy", "daemon - no answer to request 3"}
	d := sequence.Of(ledger.Client, failure("it sent GET /ping, got busy", lines...))
	require.Equal(t, []string{"client", "daemon"}, d.Actors)
	require.Equal(t, []string{"! client>daemon GET /ping", "daemon>client 200 to GET /ping", "daemon: no answer to request 3"}, arrows(d))
	d = sequence.Of(ledger.Extension, failure(`it said tab_gone`,
		`daemon > {"type":"command","id":"1","action":"click"}`, `extension > {"type":"result","id":"1","error":{"code":"tab_gone"}}`,
		`daemon - connection 1 ended: EOF`))
	require.Equal(t, []string{"daemon", "extension"}, d.Actors)
	require.Equal(t, []string{"daemon>extension command 1 click", "! extension>daemon result 1 tab_gone to click", "daemon x extension connection 1 ended: EOF"}, arrows(d))
}

func TestWhatIsMarked(t *testing.T) {
	two := []string{"a > GET /1", "a < 200\nok", "a > GET /2", "a < 401\nunauthorized", "a > GET /3", "a < 200\nok"}
	at := func(e *verdict.Finished) int {
		for i, line := range arrows(sequence.Of(ledger.Daemon, e)) {
			if strings.HasPrefix(line, "! ") {
				return i
			}
		}
		return -1
	}
	require.Equal(t, 3, at(failure("it is answered with 401; want 200", two...)), "what was wanted is not what was seen")
	require.Equal(t, 5, at(failure("it is answered with 200", two...)), "of several the last")
	require.Equal(t, 3, at(failure("200, then 401 unauthorized", two...)), "what is rare weighs more")
	require.Equal(t, 6, at(failure("it is absurd, unauthorised or ok", two...)), "one word of many is no quotation")
	require.Equal(t, 3, at(failure("it is unauthorized", two...)), "a word of the protocol is one")
	require.Equal(t, 6, at(failure("nothing like that", two...)), "where no message shows it, the time of the check")
	require.Equal(t, 6, at(failure("it received none; want 200", two...)))
	early := failure("it is answered with 200", two...)
	early.Elapsed = 2 * time.Millisecond
	require.Equal(t, 1, at(early), "what came after the check did not show it")
	early.Reason = "nothing"
	require.Equal(t, 3, at(early))
	early.Cause, early.Check = verdict.CauseHang, ""
	require.Equal(t, 6, at(early), "a scenario that hung has no time")
	require.Equal(t, 0, at(&verdict.Finished{Outcome: verdict.Failed, Cause: verdict.CausePanic, Reason: "oh no"}))
}

func TestWindow(t *testing.T) {
	make := func(n, marked int) diagram.Diagram {
		var d diagram.Diagram
		for i := range n {
			d.Events = append(d.Events, diagram.Event{At: time.Duration(i), Kind: diagram.Note, Label: fmt.Sprint(i), Marked: i == marked})
		}
		return d
	}
	labels := func(d diagram.Diagram) string {
		var all []string
		for _, e := range d.Events {
			all = append(all, e.Label)
		}
		return strings.Join(all, " ")
	}
	// All of it, as long as no more than one line would be left out at a place.
	for n, marked := range map[int]int{0: -1, 1: 0, 50: 41, 51: 41, 42: 33} {
		require.Equal(t, labels(make(n, marked)), labels(sequence.Window(make(n, marked))), "%d, %d", n, marked)
	}
	got := labels(sequence.Window(make(52, 42)))
	require.True(t, strings.HasPrefix(got, "0 1 2 3 4 5 2 lines left out 8 9 "), got)
	require.True(t, strings.HasSuffix(got, " 50 51"), got)
	got = labels(sequence.Window(make(100, 10)))
	require.True(t, strings.HasPrefix(got, "0 1 2 3 "), got)
	require.True(t, strings.HasSuffix(got, " 18 81 lines left out"), got)
	got = labels(sequence.Window(make(400, 300)))
	require.True(t, strings.HasPrefix(got, "0 1 2 3 4 5 260 lines left out 266 "), got)
	require.True(t, strings.HasSuffix(got, " 308 91 lines left out"), got)
}

// FuzzOf: whatever the lines are, there is a diagram that can be drawn, and it
// holds each of them and one mark.
func FuzzOf(f *testing.F) {
	f.Add("agent", ">", "POST /command\n{\"id\":", "daemon", "<", "200", "told 200", int64(5))
	f.Add("daemon", "<", "{\"type\":\"result\",\"id\":1}", "chrome", "<", "1000", "", int64(-1))
	f.Add("", "-", "", "suite", ">", "\xff", "nothing", int64(0))
	f.Fuzz(func(t *testing.T, a, dirA, textA, b, dirB, textB, reason string, elapsed int64) {
		if a == "" || b == "" {
			return // a transcript names its actors
		}
		e := &verdict.Finished{
			Outcome: verdict.Failed, Cause: verdict.CauseCheck, Reason: reason, Elapsed: time.Duration(elapsed),
			Transcript: []world.Line{{Actor: a, Dir: dirA, Text: textA}, {At: 5, Actor: b, Dir: dirB, Text: textB}},
		}
		for _, role := range []ledger.Role{ledger.Daemon, ledger.Extension, ledger.Client} {
			d := sequence.Of(role, e)
			marked := 0
			for _, e := range d.Events {
				if e.Marked {
					marked++
				}
			}
			require.Equal(t, 1, marked)
			require.GreaterOrEqual(t, len(d.Events), 2)
			require.NoError(t, diagram.SVG(io.Discard, sequence.Window(d)))
		}
	})
}
