package record

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// wire makes entries: what a recorder sees.
type wire struct {
	entries []entry
	now     time.Time
	calls   int
}

func newWire() *wire { return &wire{now: time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)} }

func (w *wire) see(e relay.Event)    { w.entries = append(w.entries, entry{w.now, e}) }
func (w *wire) wait(d time.Duration) { w.now = w.now.Add(d) }
func (w *wire) text(n int, from relay.Side, frame string) {
	w.see(&relay.Message{Call: n, From: from, Opcode: relay.Text, Data: []byte(frame), Size: int64(len(frame))})
}

// request is a request of an agent that knows the token.
func (w *wire) request(method, target, body string) int {
	w.calls++
	w.see(&relay.Request{
		Call: w.calls, Method: method, Target: target, Body: []byte(body), Size: int64(len(body)),
		Header: http.Header{"Authorization": {"Bearer " + token}, "Host": {"127.0.0.1:17373"}, "Content-Type": {"application/json"}},
	})
	return w.calls
}

func (w *wire) command(body string) int { return w.request("POST", "/command", body) }

func (w *wire) answer(n, status int, body string) {
	w.see(&relay.Answer{Call: n, Status: status, Body: []byte(body), Size: int64(len(body))})
}

// join connects a browser and lets it say hello.
func (w *wire) join(p sim.Profile, sessions ...string) int {
	w.calls++
	w.see(&relay.Request{Call: w.calls, Method: "GET", Target: "/extension", Header: http.Header{
		"Origin": {p.Origin}, "Upgrade": {"websocket"}, "Sec-Websocket-Protocol": {"omw.v1, omw-token." + token},
	}})
	w.answer(w.calls, 101, "")
	h := protocol.Hello{Browser: p.Browser, BrowserVersion: "1", Sessions: sessions}
	w.text(w.calls, relay.Client, string(h.AppendTo(nil)))
	w.text(w.calls, relay.Server, `{"type":"welcome","daemon_version":"1","limits":{}}`)
	return w.calls
}

// sent is a command on a link.
func (w *wire) sent(n int, id, session, action, args string, deadline time.Duration) {
	c := protocol.CommandFrame{ID: id, Session: session, Action: action, Args: []byte(args), DeadlineMS: deadline.Milliseconds()}
	w.text(n, relay.Server, string(c.AppendTo(nil)))
}

func (w *wire) result(n int, id, data string) {
	w.text(n, relay.Client, `{"type":"result","id":"`+id+`","ok":true,"data":`+data+`}`)
}

func (w *wire) failed(n int, id string, code protocol.Code) {
	w.text(n, relay.Client, `{"type":"result","id":"`+id+`","ok":false,"error":{"code":"`+string(code)+`","message":""}}`)
}

const token = "sEcReTsEcReTsEcReTsEcReTsEcReTsEcReTsEcReTs"

// lines are the lines of the tape below its header.
func (w *wire) lines(t require.TestingT) []string {
	made := w.tape(t)
	text := string(made.Format())
	_, text, _ = strings.Cut(text, "use omw.v1\n")
	text, _, _ = strings.Cut(text, "\n-- ")
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func (w *wire) tape(t require.TestingT) *tape.Tape {
	made, err := compose(Config{Round: defaultRound}, w.entries, false)
	require.NoError(t, err)
	return made
}

const hello = `version=1 sessions="" file-access=false`

func TestTimesAreRounded(t *testing.T) {
	for _, c := range []struct {
		after time.Duration
		want  []string
	}{
		{0, nil},
		{4999999 * time.Nanosecond, nil},
		{5 * time.Millisecond, []string{"+10ms"}},
		{14999999 * time.Nanosecond, []string{"+10ms"}},
		{15 * time.Millisecond, []string{"+20ms"}},
		{time.Minute + 3*time.Second, []string{"+1m3s"}},
	} {
		w := newWire()
		w.join(sim.Chrome)
		w.wait(c.after)
		w.command(`{"action":"tabs"}`)
		want := append([]string{"chrome  join " + hello}, c.want...)
		require.Equal(t, append(want, "agent   do a1 tabs"), w.lines(t), "%s", c.after)
	}
	// It is the times that are rounded and not what lies between them: errors do
	// not add up.
	w := newWire()
	w.join(sim.Chrome)
	for range 100 {
		w.wait(4 * time.Millisecond)
		w.command(`{"action":"tabs"}`)
	}
	var sum time.Duration
	for _, l := range w.tape(t).Lines {
		sum += l.Wait
	}
	require.Equal(t, 400*time.Millisecond, sum)
}

func TestConnectAndHelloApart(t *testing.T) {
	w := newWire()
	n := w.join(sim.Chrome, "shop", "mail")
	last := w.entries[len(w.entries)-2:]
	last[0].at, last[1].at = w.now.Add(time.Second), w.now.Add(time.Second)
	w.wait(time.Second)
	w.see(&relay.End{Call: n, From: relay.Server, How: relay.Fin})
	require.Equal(t, []string{
		"chrome  connect", "+1s", "chrome  hello version=1 sessions=shop,mail file-access=false", "chrome  expect close",
	}, w.lines(t))
}

func TestACommandsWay(t *testing.T) {
	w := newWire()
	f := w.join(sim.Firefox)
	a := w.command(`{"action":"goto","args":{"url":"https://shop.test/"},"session":"shop","browser":"firefox","timeout_ms":1500,"id":"x"}`)
	w.sent(f, "d-1", "shop", "navigate", `{"url":"https://shop.test/"}`, 1500*time.Millisecond)
	w.text(f, relay.Client, `{"type":"ping"}`)
	w.text(f, relay.Server, `{"type":"pong"}`)
	w.result(f, "d-1", `{"tab":1}`)
	w.answer(a, 200, `{"id":"x","ok":true,"data":{"tab":1}}`)
	require.Equal(t, []string{
		"firefox join " + hello,
		"agent   do a1 goto url=https://shop.test/ session=shop browser=firefox timeout=1.5s as=x",
		"firefox expect a1 action=navigate session=shop",
		`firefox reply a1 data={"tab":1}`,
		"agent   expect a1 ok",
	}, w.lines(t))
}

func TestCommandsAreToldApartByTheirArguments(t *testing.T) {
	w := newWire()
	c := w.join(sim.Chrome)
	w.command(`{"action":"click","args":{"ref":"e1"}}`)
	w.command(`{"action":"click","args":{"ref":"e2"}}`)
	w.command(`{"action":"click","args":{"ref":"e1"},"session":"other"}`)
	w.command(`{"action":"screenshot","args":{"path":"/home/me/a.png","format":"png"}}`)
	w.sent(c, "d1", "default", "click", `{"ref":"e2"}`, time.Second)
	w.sent(c, "d2", "other", "click", `{"ref":"e1"}`, time.Second)
	w.sent(c, "d3", "default", "click", `{"ref":"e1"}`, time.Second)
	w.sent(c, "d4", "default", "screenshot", `{"format":"png"}`, time.Second)
	w.sent(c, "d5", "default", "click", `{"ref":"e1"}`, time.Second)
	require.Equal(t, []string{
		"chrome  expect a2 action=click",
		"chrome  expect a3 action=click session=other",
		"chrome  expect a1 action=click",
		"chrome  expect a4 action=screenshot",
		"# chrome got a command of somebody who was not recorded: click",
	}, w.lines(t)[5:])
}

func TestWithoutAnAgentTheBrowserNamesTheCommands(t *testing.T) {
	w := newWire()
	c := w.join(sim.Chrome)
	w.sent(c, "d1", "default", "tabs", `{}`, time.Second)
	w.failed(c, "d1", protocol.Busy)
	w.sent(c, "d2", "default", "tabs", `{}`, time.Second)
	w.result(c, "d2", `{}`)
	require.Equal(t, []string{
		"chrome  join " + hello, "chrome  expect c1 action=tabs", "chrome  reply c1 error=busy",
		"chrome  expect c2 action=tabs", "chrome  reply c2 data={}",
	}, w.lines(t))
}

// The deadline of the extension itself is the daemon's but for a quarter, at most
// 250 ms; a simulated browser keeps it without being told.
func TestABrowserThatKeepsItsDeadlineAndOneThatDoesNot(t *testing.T) {
	const own = 30*time.Second - 250*time.Millisecond
	for _, c := range []struct {
		name   string
		result time.Duration
		unit   protocol.Code
		ends   time.Duration
		want   []string
	}{
		{"in time", own, "", time.Minute, []string{"+29.75s", "chrome  reply a1 data={}"}},
		{"too late for its own", own + 1, "", time.Minute, []string{"chrome  mute a1", "+29.75s", "chrome  reply a1 data={}"}},
		{"its own outcome_unknown", own, protocol.OutcomeUnknown, time.Minute, nil},
		{"somewhat early", own - 100*time.Millisecond, protocol.OutcomeUnknown, time.Minute, nil},
		{"too early to be the deadline's", own - 100*time.Millisecond - 1, protocol.OutcomeUnknown, time.Minute, []string{"+29.65s", "chrome  reply a1 error=outcome_unknown"}},
		{"before the daemon's", 30*time.Second - 1, protocol.OutcomeUnknown, time.Minute, nil},
		{"at the daemon's", 30 * time.Second, protocol.OutcomeUnknown, time.Minute, []string{"chrome  mute a1", "+30s", "chrome  reply a1 error=outcome_unknown"}},
		{"never", 0, "", own + 1, []string{"chrome  mute a1", "+29.75s", "chrome  drop fin"}},
		{"the link ended before", 0, "", own, []string{"+29.75s", "chrome  drop fin"}},
	} {
		w := newWire()
		n := w.join(sim.Chrome)
		w.command(`{"action":"tabs"}`)
		w.sent(n, "d1", "default", "tabs", `{}`, 30*time.Second)
		began := w.now
		if c.result > 0 {
			w.now = began.Add(c.result)
			if c.unit != "" {
				w.failed(n, "d1", c.unit)
			} else {
				w.result(n, "d1", `{}`)
			}
		} else {
			w.now = began.Add(c.ends)
			w.see(&relay.End{Call: n, From: relay.Client, How: relay.Fin})
		}
		require.Equal(t, c.want, nilIfNone(w.lines(t)[3:]), c.name)
	}
}

func nilIfNone(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	return lines
}

// The 34th command of a session is busy by the simulated browser's own count:
// one runs and 32 wait. A browser that says so earlier has to be told.
func TestBusy(t *testing.T) {
	for _, others := range []int{32, 33} {
		w := newWire()
		n := w.join(sim.Chrome)
		for i := range others + 1 {
			w.command(fmt.Sprintf(`{"action":"click","args":{"ref":"e%d"}}`, i))
			w.sent(n, fmt.Sprint("d", i), "default", "click", fmt.Sprintf(`{"ref":"e%d"}`, i), time.Second)
		}
		w.failed(n, fmt.Sprint("d", others), protocol.Busy)
		lines := w.lines(t)
		last := fmt.Sprintf("chrome  expect a%d action=click", others+1)
		require.Equal(t, last, lines[len(lines)-1], "no reply: it is busy already")
		require.Equal(t, others == 32, lines[len(lines)-3] == "chrome  busy", lines[len(lines)-4:])
	}
}

func TestADaemonThatDies(t *testing.T) {
	w := newWire()
	n := w.join(sim.Chrome)
	a := w.command(`{"action":"tabs"}`)
	w.sent(n, "d1", "default", "tabs", `{}`, time.Second)
	w.see(&relay.Answer{Call: a, Cut: true})
	w.see(&relay.End{Call: n, From: relay.Server, How: relay.Reset})
	w.wait(time.Second)
	w.see(&relay.Unreachable{})
	w.wait(time.Second)
	n = w.join(sim.Chrome)
	w.see(&relay.End{Call: n, From: relay.Server, How: relay.Fin})
	w.wait(time.Second)
	w.join(sim.Chrome)
	require.Equal(t, []string{
		"chrome  join " + hello, "agent   do a1 tabs", "chrome  expect a1 action=tabs",
		"daemon  kill", "chrome  expect close", "agent   expect a1 no-answer", "+2s", "daemon  start",
		"chrome  join " + hello, "chrome  expect close", "+1s", "chrome  join " + hello,
	}, w.lines(t), "only after the first end nobody listened")
}

func TestRequestsThatAreNoCommand(t *testing.T) {
	w := newWire()
	w.request("GET", "/ping?nonce=abc", "")
	w.request("GET", "/admin/status", "")
	w.request("POST", "/admin/token", "")
	w.request("OPTIONS", "/command", "")
	n := w.request("POST", "/admin/pair", "")
	w.answer(n, 200, `{"code":"471100","expires_ms":300000}`)
	w.calls++
	w.see(&relay.Request{Call: w.calls, Method: "POST", Target: "/pair", Body: []byte(`{"code":"471100"}`), Header: http.Header{"Origin": {sim.Chrome.Origin}}})
	n = w.request("GET", "/json/list?code=471100", "")
	w.see(&relay.Abandoned{Call: n, How: relay.Fin})
	w.answer(n, 200, "[]")
	w.see(&relay.Garbled{Call: 99, Bytes: []byte("x"), Size: 1})
	require.Equal(t, []string{
		"# the daemon was asked for a new token",
		"agent   send a1 POST /admin/pair", "agent   expect a1 status=200",
		"# the extension of Chrome redeemed a pairing code",
		"agent   send a2 GET /json/list?code=xxxxxx", "agent   hang-up a2",
		"# an agent sent 1 bytes that are no HTTP request; a tape cannot say which",
	}, w.lines(t))
}

func TestThePayloadsLength(t *testing.T) {
	for _, n := range []int{inlineBytes, inlineBytes + 1} {
		w := newWire()
		body := `{"a":"` + strings.Repeat("y", n-len(`{"a":""}`)) + `"}`
		w.command(body)
		lines, files := w.lines(t), w.tape(t).Files
		if n == inlineBytes {
			require.Equal(t, "agent   send a1 POST /command "+body, lines[0])
			require.Empty(t, files)
			continue
		}
		require.Equal(t, "agent   send a1 POST /command a1.json", lines[0])
		require.Equal(t, []tape.File{{Name: "a1.json", Text: body}}, files)
	}
	for _, n := range []int{generated, generated + 1} {
		w := newWire()
		w.command(strings.Repeat("y", n))
		require.Equal(t, n > generated, w.lines(t)[0] == fmt.Sprintf("agent   send a1 POST /command bytes=%d", n))
	}
}

func TestWhatTravelledAsAnArtifact(t *testing.T) {
	w := newWire()
	n := w.join(sim.Chrome)
	w.command(`{"action":"evaluate","args":{"code":"x"}}`)
	w.command(`{"action":"screenshot"}`)
	w.sent(n, "d1", "default", "evaluate", `{"code":"x"}`, time.Second)
	w.result(n, "d1", `{"artifact":"one","bytes":12}`)
	for i, part := range []string{`{"value"`, `:11}`, ""} {
		id := fmt.Sprint("r", i)
		w.sent(n, id, "default", "artifact_read", `{"artifact":"one","offset":0,"length":8}`, time.Second)
		w.result(n, id, `{"base64":"`+base64.StdEncoding.EncodeToString([]byte(part))+`"}`)
	}
	w.sent(n, "d2", "default", "screenshot", `{}`, time.Second)
	w.result(n, "d2", `{"artifact":"two","bytes":7,"format":"png","width":1,"height":1}`)
	w.sent(n, "d3", "default", "artifact_close", `{"artifact":"two"}`, time.Second)
	w.result(n, "d3", `{}`)
	require.Equal(t, []string{
		"chrome  expect a1 action=evaluate", `chrome  reply a1 data={"value":11}`,
		"chrome  expect a2 action=screenshot", `chrome  reply a2 data={"format":"png","width":1,"height":1,"base64":"xxxxxxxxxxxx"}`,
	}, w.lines(t)[3:])
}

func TestTheEndOfTheMemory(t *testing.T) {
	for most, full := range map[int64]bool{2 * overhead: false, 2*overhead - 1: true} {
		r := New(Config{Most: most})
		w := newWire()
		w.request("DELETE", "/command", "")
		w.request("DELETE", "/command", "")
		for _, e := range w.entries {
			r.observe(e.at, e.event)
		}
		require.Equal(t, full, r.Summary().Full)
		made, err := r.Tape()
		require.NoError(t, err)
		require.Equal(t, full, strings.Contains(string(made.Format()), "# the recording is full"))
		require.Equal(t, full, r.Summary().Calls == 1)
	}
}

func TestNothingIsNoTape(t *testing.T) {
	r := New(Config{})
	_, err := r.Tape()
	require.ErrorIs(t, err, ErrNothing)
	r.observe(time.Now(), &relay.Unreachable{})
	_, err = r.Tape()
	require.ErrorIs(t, err, ErrNothing)
	require.Equal(t, 1, r.Summary().Unreachable)
}
