package evidence_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/oh-my-webbridge/omw/conformance/evidence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// failed is a scenario that failed with that transcript.
func failed(lines ...world.Line) *verdict.Finished {
	return &verdict.Finished{
		Scenario: "command/x.feature:a name, with <more>/row 2", Rule: "CMD-11", Check: "CMD-11/late", Step: "it took 30s",
		Reason: "it took 31s", Transcript: lines,
	}
}

// told is the text of a tape below its header, which is required to parse.
func told(t require.TestingT, e *verdict.Finished) string {
	left := evidence.Tape(e, 7)
	_, err := tape.Parse(left.Name, left.Format())
	require.NoError(t, err, "%s", left.Format())
	_, below, _ := strings.Cut(string(left.Format()), "use omw.v1 seed=7\n")
	return below
}

const (
	origin  = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
	command = `{"type":"command","id":"d1","session":"shop","action":"click","args":{"ref":"@e4"},"deadline_ms":1000}`
	body    = `{"session":"shop","action":"click","args":{"ref":"@e4"}}`
	result  = `{"type":"result","id":"d1","ok":true,"data":{"value":1}}`
)

// TestWhatWasSaidIsTold has each kind of line of a transcript with the line of a
// tape that it becomes, below whatever it stands behind.
func TestWhatWasSaidIsTold(t *testing.T) {
	out := func(actor, text string) world.Line { return world.Line{Actor: actor, Dir: ">", Text: text} }
	in := func(actor, text string) world.Line { return world.Line{Actor: actor, Dir: "<", Text: text} }
	send := world.Line{Actor: "agent", Dir: ">", ID: "a1", Text: "POST /command HTTP/1.1\nAuthorization: Bearer [token]\nContent-Type: application/json\n\n" + body}
	given := []world.Line{out("chrome", origin), send, in("chrome", command)}
	for name, tc := range map[string]struct {
		lines []world.Line
		want  string
	}{
		"a connection":                   {[]world.Line{out("chrome", origin)}, "chrome  connect\n"},
		"Firefox's":                      {[]world.Line{out("firefox", "moz-extension://3f2504e0-4f89-41d3-9a0c-0305e82c3301")}, "firefox connect\n"},
		"a hello as the profile has it":  {[]world.Line{out("chrome", `{"type":"hello","browser":"chrome","browser_version":"156.0.8078.114","extension_version":"1.0.0","sessions":["shop"],"file_access":true}`)}, "chrome  hello sessions=shop\n"},
		"another hello":                  {[]world.Line{out("chrome", `{"type":"hello","browser":"firefox","browser_version":"1","extension_version":"2","sessions":[],"file_access":false}`)}, `chrome  hello sessions="" browser=firefox version=1 extension=2 file-access=false` + "\n"},
		"a close frame":                  {[]world.Line{out("chrome", "1001 going away")}, "chrome  close 1001 reason=\"going away\"\n"},
		"one without a code":             {[]world.Line{out("chrome", "0")}, "chrome  close 0\n"},
		"a ping":                         {[]world.Line{out("chrome", origin), out("chrome", `{"type":"ping"}`)}, "chrome  connect\n"},
		"no JSON":                        {[]world.Line{out("chrome", "}{")}, "chrome  frame frame-1\n"},
		"an event":                       {[]world.Line{out("chrome", `{"type":"event","event":"x"}`)}, "chrome  frame frame-1\n"},
		"what was cut":                   {[]world.Line{out("chrome", origin), out("chrome", `{"type":"event"… (9999 bytes)`)}, "# chrome sent, and a tape cannot: "},
		"a request":                      {[]world.Line{send}, "agent   send a1 POST /command a1 type=application/json\n# The check that failed has no words in a tape: it took 31s\n-- a1 --\n" + body + "\n"},
		"one without a token":            {[]world.Line{out("agent", "GET /ping HTTP/1.1\nHost: evil.test\nX-One: 1\n\n")}, "agent   send request-1 GET /ping host=evil.test header=\"X-One: 1\" token=none\n"},
		"a command in a browser":         {append(given, out("chrome", result)), "chrome  expect a1 action=click\nchrome  reply a1 data={\"value\":1}\n"},
		"an error of its own":            {append(given, out("chrome", `{"type":"result","id":"d1","ok":false,"error":{"code":"stale_ref","message":"gone"}}`)), "chrome  reply a1 error=stale_ref message=gone\n"},
		"its own deadline":               {append(given, out("chrome", `{"type":"result","id":"d1","ok":false,"error":{"code":"outcome_unknown","message":"the extension's own deadline passed before the command was done"}}`), world.Line{Actor: "chrome", Dir: "-", Tape: true, Text: "drop rst"}), "chrome  expect a1 action=click\nchrome  drop rst\n"},
		"a command that is not answered": {given, "chrome  expect a1 action=click\nchrome  mute a1\n"},
		"a command of nobody":            {[]world.Line{out("chrome", origin), in("chrome", command)}, "# chrome was given a command that no request of the tape asks for: "},
		"an answer to nothing":           {[]world.Line{out("chrome", result)}, "chrome  frame frame-1\n"},
		"what was done":                  {[]world.Line{out("chrome", origin), {Actor: "chrome", Dir: "-", Tape: true, Held: true, Text: "drop rst"}}, "chrome  drop rst\n"},
		"what failed":                    {append(given, world.Line{Actor: "agent", Dir: "-", Tape: true, Text: "expect a1 ok"}), "agent   expect a1 ok  # what failed\n"},
		"what held":                      {append(given, world.Line{Actor: "agent", Dir: "-", Tape: true, Held: true, Text: "expect a1 ok"}), "agent   expect a1 ok\n"},
		"who was not let in":             {[]world.Line{{Actor: "chrome", Dir: "-", Tape: true, Text: "join"}}, "chrome  join  # what failed\n"},
		"words of no tape":               {[]world.Line{send, {Actor: "agent", Dir: "-", Tape: true, Text: "juggle"}}, "# agent juggle\n"},
		"a line that fits nowhere":       {[]world.Line{send, {Actor: "agent", Dir: "-", Tape: true, Text: "expect a2 ok"}}, "# not in a tape: agent   expect a2 ok"},
		"a remark":                       {[]world.Line{send, {Actor: "daemon", Dir: "-", Text: "it ended"}}, "# daemon - it ended\n"},
		"nothing":                        {nil, "agent   send ping GET /ping  # nothing was said that a tape can say\n"},
		"what has no words":              {[]world.Line{send}, "# The check that failed has no words in a tape: it took 31s\n"},
	} {
		t.Run(name, func(t *testing.T) { require.Contains(t, told(t, failed(tc.lines...)), tc.want) })
	}
}

// TestTimesAreThoseOfTheTranscript: to the nanosecond, and none goes back.
func TestTimesAreThoseOfTheTranscript(t *testing.T) {
	at := func(d time.Duration, text string) world.Line {
		return world.Line{At: d, Actor: "agent", Dir: ">", Text: text}
	}
	got := told(t, failed(at(0, "GET /a"), at(time.Second, "GET /b"), at(time.Second, "GET /c"), at(30*time.Second-1, "GET /d")))
	require.Contains(t, got, "agent   send request-1 GET /a\n+1s\nagent   send request-2 GET /b\nagent   send request-3 GET /c\n+28.999999999s\nagent   send request-4 GET /d\n")
}

func TestTheHeadSaysWhatFailed(t *testing.T) {
	e := failed()
	require.Equal(t, []string{"CMD-11: " + e.Scenario, "It failed (CMD-11/late) at the step: it took 30s", "Reason: it took 31s"}, evidence.Tape(e, 1).Head)
	e.Check, e.Cause = "", verdict.CauseHarness
	require.Contains(t, evidence.Tape(e, 1).Head[1], "("+string(verdict.CauseHarness)+")")
}

// TestName: a file's name has letters, digits, . and -, and is no longer than
// file systems allow.
func TestName(t *testing.T) {
	require.Equal(t, "command-x.feature-a-name-with-more-row-2.tape", evidence.Name(failed().Scenario))
	require.Equal(t, strings.Repeat("x", 200)+".tape", evidence.Name(strings.Repeat("x", 200)))
	require.Equal(t, strings.Repeat("x", 200)+".tape", evidence.Name(strings.Repeat("x", 201)))
	require.Equal(t, "a.tape", evidence.Name("../../a/.."))
}

// TestEveryTapeParses: whatever a transcript holds, what is left of it is a
// tape, and a function of the event alone.
func TestEveryTapeParses(t *testing.T) {
	texts := rapid.OneOf(
		rapid.String(),
		rapid.SampledFrom([]string{
			origin, command, result, body, "POST /command\n\n" + body, "GET  /x y", "GET /\x00", "1001 \x1b", "drop rst", "expect a1 ok", "reply a1 ok",
			"join sessions=\"", "-- x --", "POST /command\nX: \"\n\n-- a1 --", `{"type":"hello","browser":"chrome","browser_version":"\"","extension_version":"","sessions":["a b",""]}`,
			`{"type":"result","id":"d1","ok":false,"error":{"code":"nonsense","message":"\n"}}`, "use omw.v1", "+7s",
		}),
	)
	lines := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) world.Line {
		return world.Line{
			At: time.Duration(rapid.Int64Range(-1, 1<<40).Draw(t, "at")), Text: texts.Draw(t, "text"),
			Actor: rapid.SampledFrom([]string{"agent", "chrome", "firefox2", "daemon", "suite", "somebody else"}).Draw(t, "actor"),
			Dir:   rapid.SampledFrom([]string{">", "<", "-"}).Draw(t, "dir"), ID: rapid.SampledFrom([]string{"", "a1", "A 1", "all", "d1"}).Draw(t, "id"),
			Tape: rapid.Bool().Draw(t, "tape"), Held: rapid.Bool().Draw(t, "held"),
		}
	}), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		e := failed(lines.Draw(t, "lines")...)
		e.Step, e.Reason, e.Scenario = texts.Draw(t, "step"), texts.Draw(t, "reason"), texts.Draw(t, "scenario")
		require.Equal(t, told(t, e), told(t, e))
	})
}
