package player_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// judged plays a script of which one line is one thing, and requires that this
// line holds; or, with a reason, that it fails by that reason, told with its file
// and line, and that what stands below it is not reached.
func judged(t *testing.T, before, line, after, reason string) {
	t.Helper()
	tr := play(t, before+line+"\n"+after)
	n := 2 + strings.Count(before, "\n") // behind the header
	if reason == "" {
		require.True(t, tr.OK(), tr.Verdict())
		return
	}
	failed := tr.Failed()
	require.NotNil(t, failed, tr.Verdict())
	require.Equal(t, n, failed.Line, tr.Verdict())
	require.Contains(t, failed.Reason, reason)
	require.Contains(t, tr.Verdict(), fmt.Sprintf("x.tape:%d: not as the tape says: ", n))
	require.False(t, tr.OK())
	for _, c := range tr.Checks {
		if c.Line > n {
			require.Equal(t, "not reached", string(c.Outcome), c.Text)
		}
	}
}

// below stands behind the line that is judged, and holds whatever that is about.
const below = "agent send last GET /ping\nagent expect last status=200\n"

// ran is a tape in which a command was answered with data, at 2 s.
const ran = `chrome join sessions=shop
agent do a1 evaluate code=1+1 session=shop as=mine
chrome started a1
+2s
chrome reply a1 data={"value":{"n":2,"list":[1,2]},"more":null}
`

// refused is a tape in which a command was refused, for want of a browser.
const refused = "agent do a1 click ref=@e4\n"

// lost is a tape in which the outcome of a command is not known, at 7 s.
const lost = `chrome join sessions=shop
agent do a1 click ref=@e4 session=shop
chrome started a1
+7s
chrome drop fin
`

// TestWhatAgentsExpect has every kind of expectation of an agent, kept and
// broken; times at their edge, the last nanosecond that is right and the first
// ones that are not.
func TestWhatAgentsExpect(t *testing.T) {
	for _, tc := range []struct{ before, line, reason string }{
		{ran, "agent expect a1", ""},
		{ran, "agent expect a1 ok", ""},
		{refused, "agent expect a1 ok", `a1 was told not_connected (delivered "no"); want ok`},
		{refused, "agent expect a1 error=not_connected", ""},
		{refused, "agent expect a1 error=busy", `a1 was told not_connected (delivered "no"); want busy`},
		{ran, "agent expect a1 error=busy", `a1 was told ok {"value":{"n":2,"list":[1,2]},"more":null}; want busy`},
		{lost, "agent expect a1 error=outcome_unknown", ""},

		{refused, "agent expect a1 delivered=no", ""},
		{refused, "agent expect a1 delivered=unknown", `want delivered "unknown"`},
		{lost, "agent expect a1 delivered=unknown", ""},
		{lost, "agent expect a1 delivered=no", `a1 was told outcome_unknown (delivered "unknown"); want delivered "no"`},
		{ran, "agent expect a1 delivered=no", `want delivered "no"`},

		{refused, "agent expect a1 message=BROWSER", ""},
		{refused, "agent expect a1 message=teapot", `its message does not say "teapot"`},

		{ran, `agent expect a1 data={}`, ""},
		{ran, `agent expect a1 data={"value":{}}`, ""},
		{ran, `agent expect a1 data={"value":{"n":2}}`, ""},
		{ran, `agent expect a1 data={"value":{"list":[1,2]},"more":null}`, ""},
		{ran, `agent expect a1 data={"value":{"n":3}}`, "value.n is 2, not 3"},
		{ran, `agent expect a1 data={"value":{"list":[1]}}`, "value.list is [1,2], not [1]"},
		{ran, `agent expect a1 data={"value":{"m":2}}`, "value.m is not there"},
		{ran, `agent expect a1 data={"value":2}`, `value is {"list":[1,2],"n":2}, not 2`},
		{ran, `agent expect a1 data={"more":{"x":1}}`, `more is null, not {"x":1}`},
		{refused, `agent expect a1 data={}`, "want ok"},

		{ran, "agent expect a1 status=200", ""},
		{ran, "agent expect a1 status=400", "want the status 400"},
		{"agent send a1 GET /ping token=none origin=https://evil.test\n", "agent expect a1 status=403", ""},
		{"agent send a1 POST /command token=wrong {}\n", "agent expect a1 status=401", ""},
		{"agent send a1 POST /command token=wrong {}\n", "agent expect a1 status=200", "a1 was told 401"},
		{"agent send a1 POST /nowhere {}\n", "agent expect a1 status=404", ""},
		{"agent send a1 POST /command {\"action\":\"jump\"}\n", "agent expect a1 error=bad_request", ""},

		{ran, "agent expect a1 took=2s", ""},
		{ran, "agent expect a1 took=1.999999999s", "2s"},
		{ran, "agent expect a1 took=2.000000001s", "2s"},
		{ran, "agent expect a1 at=2s", ""},
		{ran, "agent expect a1 at=1.999999999s", "it happened at +2s, not at +1.999999999s"},
		{ran, "agent expect a1 at=2.000000001s", "it happened at +2s, not at +2.000000001s"},

		{"chrome join\nagent do a1 click ref=@e4\n", "agent expect a1 pending", ""},
		{ran, "agent expect a1 pending", "at +2s"},
		{refused, "agent expect a1 pending", "a1 was told not_connected"},

		{ran, "agent expect a1 no-answer", "and not nothing"},
		{"chrome join\nagent do a1 click ref=@e4\nagent hang-up a1\n", "agent expect a1 no-answer", ""},
		{"chrome join\nagent do a1 click ref=@e4\nagent hang-up a1\n", "agent expect a1 ok", "a1 got no answer"},
		{"chrome join\nagent do a1 click ref=@e4\nagent hang-up a1\n", "agent hang-up a1", "a1 has had its answer already"},

		{"chrome join\nagent do a1 click ref=@e4\nchrome late a1 ok after=5s\n", "agent expect a1 ok", ""},
		{"chrome join\nagent do a1 click ref=@e4\nchrome late a1 ok after=5.000000001s\n", "agent expect a1 ok", "a1 has no answer 5s after it was sent"},
		{"chrome join\nagent do a1 click ref=@e4\nchrome late a1 ok after=6s\n", "agent expect a1 ok within=6s", ""},
		{"chrome join\nagent do a1 click ref=@e4\nchrome late a1 ok after=6s\n", "agent expect a1 ok within=5.999999999s", "a1 has no answer 5.999999999s after it was sent"},

		{ran, "agent expect nothing", `a1 was told ok`},
		{ran + "agent expect a1\n", "agent expect nothing for=1h", ""},
		{"chrome join\nagent do a1 click ref=@e4\nchrome late a1 ok after=2s\n", "agent expect nothing for=1.999999999s", ""},
		{"chrome join\nagent do a1 click ref=@e4\nchrome late a1 ok after=2s\n", "agent expect nothing for=2.000000001s", "a1 was told ok {} at +2s"},
	} {
		t.Run(tc.line+" "+tc.reason, func(t *testing.T) {
			t.Parallel()
			judged(t, tc.before, tc.line, below, tc.reason)
		})
	}
}

// TestWhatBrowsersExpect has every kind of expectation of a browser.
func TestWhatBrowsersExpect(t *testing.T) {
	const (
		two  = "chrome join sessions=shop\nfirefox join sessions=mail\n"
		sent = two + "agent do a1 type ref=@e4 text=Ada session=shop\n"
		many = two + "agent do a click ref=@e4 session=shop times=3\n"
	)
	for _, tc := range []struct{ before, line, reason string }{
		{sent, "chrome expect a1", ""},
		{sent, "chrome expect a1 action=type session=shop", ""},
		{sent, "chrome expect a1 action=click", "a1 has come as type; want click"},
		{sent, "chrome expect a1 session=mail", `a1 has come for the session "shop"; want "mail"`},
		{sent, `chrome expect a1 args={"text":"Ada"}`, ""},
		{sent, `chrome expect a1 args={"text":"Bob"}`, `a1 has come with other arguments: text is "Ada", not "Bob"`},
		{sent, `chrome expect a1 args={"key":"x"}`, "a1 has come with other arguments: key is not there"},
		{sent, "firefox expect a1", "a1 has reached chrome, not firefox"},
		{refused, "chrome expect a1", `a1 has not reached chrome; the agent was told not_connected (delivered "no")`},
		{many, "chrome expect a.*", ""},
		{many, "firefox expect a.*", "a.1: a.1 has reached chrome, not firefox"},
		{many, "chrome expect a.2", ""},
		{sent, "chrome expect a1 at=0s", ""},
		{two + "+1s\nagent do a1 click ref=@e4 session=shop\n", "chrome expect a1 at=1s", ""},
		{two + "+1s\nagent do a1 click ref=@e4 session=shop\n", "chrome expect a1 at=999.999999ms", "it happened at +1s, not at +999.999999ms"},
		{two + "+1s\nagent do a1 click ref=@e4 session=shop\n", "chrome expect a1 at=1.000000001s", "it happened at +1s, not at +1.000000001s"},

		{sent, "chrome expect nothing", `a1 (type of session "shop") has come at +0s`},
		{sent, "firefox expect nothing for=5s", ""},
		{sent + "chrome expect a1\n", "chrome expect nothing for=5s", ""},
		{many + "chrome expect a.1\nchrome expect a.2\n", "chrome expect nothing", "a.3"},

		{sent, "chrome started a1", ""},
		{sent, "chrome started a1 at=0s", ""},
		{sent, "chrome started a1 at=1ns", "it happened at +0s, not at +1ns"},
		{many, "chrome started a.2", "a.2 has not started in chrome"},
		{many + "+2s\nchrome reply a.1 ok\n", "chrome started a.2 at=2s", ""},
		{sent, "firefox started a1", "a1 has not started in firefox"},
		{many, "chrome starts a.1 1", ""},
		{many, "chrome starts a.1 0", "a.1 has started 1 times in chrome; want 0"},
		{many, "chrome starts a.2 0", ""},
		{many, "chrome starts a.* 1", "a.2: a.2 has started 0 times in chrome; want 1"},

		{two + "daemon stop\n", "chrome expect close", ""},
		{two + "daemon stop\n", "chrome expect close 1001", ""},
		{two + "daemon stop\n", "chrome expect close 1000", "the connection was closed with 1001; want 1000"},
		{two + "chrome drop fin\n", "chrome expect close 1006", ""},
		{two, "chrome expect close within=3s", "chrome is still connected"},
		{"chrome connect\nchrome frame {\"type\":\"ping\"}\n", "chrome expect close 1008 reason=hello", ""},
		{"chrome connect\nchrome frame {\"type\":\"ping\"}\n", "chrome expect close reason=HELLO", `want "HELLO" in it`},
		{"chrome connect\n", "chrome expect close 1008 at=10s", ""},
		{"chrome connect\n", "chrome expect close 1008 at=9.999999999s", "it happened at +10s, not at +9.999999999s"},
		{"chrome connect\n", "chrome expect close 1008 at=10.000000001s", "it happened at +10s, not at +10.000000001s"},

		{two, "chrome expect pong at=20s", ""},
		{two, "chrome expect pong at=19.999999999s", "it happened at +20s, not at +19.999999999s"},
		{two, "chrome expect pong within=19s", "no pong has come"},
		{two + "+1s\nchrome ping\n", "chrome expect pong at=1s", ""},

		{"", "chrome connect refused=409", "it was let in; want it refused with 409"},
		{two, "chrome2 connect refused=409", ""},
		{two, "chrome2 connect refused=401", "it was refused with 409; want 401"},
		{two, "chrome2 connect", "409"},
		{"chrome connect\n", "chrome hello browser=firefox closed=1008", ""},
		{"chrome connect\n", "chrome hello browser=firefox closed=1002", "it was closed with 1008; want 1002"},
		{"chrome connect\n", "chrome hello browser=firefox", "it was closed with 1008 instead of a welcome"},
		{"chrome connect\n", "chrome hello closed=1008", "it was welcomed; want it closed with 1008"},
		{"", "chrome join browser=firefox closed=1008", ""},
		{"", "chrome hello", "chrome is not connected"},

		{"chrome join sessions=shop\nchrome auto\nchrome ask r1 sessions\n", "chrome expect r1 ok", ""},
		{"chrome join sessions=shop\nchrome auto\nchrome ask r1 sessions\n", "chrome expect r1 error=busy", "want busy"},
		{"chrome join sessions=shop\nchrome auto\nchrome ask r1 sessions\n", `chrome expect r1 data={"x":1}`, "x is not there"},
	} {
		t.Run(tc.line+" "+tc.reason, func(t *testing.T) {
			t.Parallel()
			after := below
			if strings.Contains(tc.before, "daemon stop") {
				after = "daemon start\n" + below
			}
			judged(t, tc.before, tc.line, after, tc.reason)
		})
	}
}
