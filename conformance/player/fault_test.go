package player_test

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// one begins a tape in which a browser is connected and has begun a command.
const one = `chrome join sessions=shop
agent do a1 evaluate code=1+1 session=shop timeout=1m
chrome started a1
+1s
`

const second = time.Second

// texts are what messages say.
func texts(all []message) []string {
	out := []string{}
	for _, m := range all {
		out = append(out, m.text)
	}
	return out
}

func TestReplyIsSentOnceAndAtOnce(t *testing.T) {
	l := onWire(t, one+"chrome reply a1 data={\"value\":2}\n+1m\n").links(t)[0]
	got := l.results(1)
	require.Len(t, got, 1)
	require.JSONEq(t, `{"type":"result","id":"`+l.command(1)+`","ok":true,"data":{"value":2}}`, got[0].text)
	require.Equal(t, second, got[0].at)
}

func TestErrorIsSent(t *testing.T) {
	l := onWire(t, one+"chrome error a1 page_error message=\"it threw\"\n").links(t)[0]
	require.JSONEq(t, `{"type":"result","id":"`+l.command(1)+`","ok":false,"error":{"code":"page_error","message":"it threw"}}`, l.results(1)[0].text)
}

// TestHoldAndMute: what is held is answered at the extension's own deadline, at
// the latest, which comes 250 ms before the daemon's; what is muted never.
func TestHoldAndMute(t *testing.T) {
	held := onWire(t, one+"agent expect a1 error=outcome_unknown at=59.75s\n").links(t)[0]
	require.Len(t, held.results(1), 1)
	require.Equal(t, 59750*time.Millisecond, held.results(1)[0].at)
	muted := onWire(t, one+"chrome mute a1\nagent expect a1 error=outcome_unknown at=1m\n+1m\n").links(t)[0]
	require.Empty(t, muted.results(1))
	said := onWire(t, one+"chrome mute a1\n+1s\nchrome reply a1 ok\nagent expect a1 ok at=2s\n").links(t)[0]
	require.Len(t, said.results(1), 1, "the tape may still reply")
}

func TestLateIsSentOnWhateverConnectionThereIs(t *testing.T) {
	l := onWire(t, one+"chrome late a1 data={\"value\":2} after=40s\nagent expect a1 ok at=41s\n").links(t)[0]
	require.Len(t, l.results(1), 1)
	require.Equal(t, 41*second, l.results(1)[0].at)

	both := onWire(t, one+"chrome late a1 data={\"value\":2} after=40s\nchrome drop fin\nagent expect a1 error=outcome_unknown\n+1s\nchrome join\n+1m\n").links(t)
	require.Len(t, both, 2)
	require.Len(t, both[0].results(1, both[1]), 1)
	require.Equal(t, both[0].results(1, both[1])[0].at, 41*second)
	require.Empty(t, both[0].results(1))
}

func TestReplayIsTheSameFrame(t *testing.T) {
	l := onWire(t, one+"chrome reply a1 data={\"value\":2}\nchrome replay a1 times=3\n").links(t)[0]
	got := texts(l.results(1))
	require.Len(t, got, 4)
	for _, again := range got {
		require.Equal(t, got[0], again)
	}
	tr := play(t, one+"chrome replay a1\n")
	require.Contains(t, tr.Verdict(), "x.tape:6: not as the tape says: a1 has not been answered yet")
}

func TestWrongConnection(t *testing.T) {
	all := onWire(t, "firefox join\n"+one+"chrome wrong-connection a1 data={\"value\":666} on=firefox\nagent expect a1 error=outcome_unknown at=1m\n").links(t)
	firefox, chrome := all[0], all[1]
	require.Empty(t, chrome.results(1))
	require.Len(t, chrome.results(1, firefox), 1)
	require.Contains(t, chrome.results(1, firefox)[0].text, "666")
}

// TestOutOfOrder: answers are sent in the order of their lines, whatever the
// order of the commands; one that waits in the extension can be answered, too.
func TestOutOfOrder(t *testing.T) {
	l := onWire(t, "chrome join sessions=shop,mail\nagent do a evaluate code=1 session=shop timeout=1m\nagent do b evaluate code=2 session=shop timeout=1m\nagent do c evaluate code=3 session=mail timeout=1m\nchrome expect b\nchrome reply c ok\nchrome reply b data={\"value\":2} within=1s\nchrome reply a ok\nagent expect a ok\nagent expect b ok\n").links(t)[0]
	at := func(n int) time.Duration { require.Len(t, l.results(n), 1); return l.results(n)[0].at }
	require.Equal(t, []time.Duration{second, second, 0}, []time.Duration{at(1), at(2), at(3)})
	got := strings.Join(texts(l.said()), "\n")
	require.Less(t, strings.Index(got, l.command(3)), strings.Index(got, l.command(2)))
	require.Less(t, strings.Index(got, l.command(2)), strings.Index(got, l.command(1)))
}

func TestDrop(t *testing.T) {
	fin := onWire(t, one+"chrome drop fin\n+1s\n").links(t)[0]
	require.ErrorIs(t, fin.far.end, io.EOF)
	require.Equal(t, second, fin.far.endAt)
	rst := onWire(t, one+"chrome drop rst\n+1s\n").links(t)[0]
	require.ErrorIs(t, rst.far.end, syscall.ECONNRESET)
	require.Equal(t, second, rst.far.endAt)
	for _, l := range fin.said() {
		require.NotEqual(t, byte(8), l.opcode, "there is no close frame")
	}
}

// TestDropUnread: the command is on the wire, and the extension has not begun
// it; after a drop that follows its start it has.
func TestDropUnread(t *testing.T) {
	const before = "chrome join sessions=shop\nchrome drop rst unread\n+1s\nagent do a1 close_tab session=shop\nagent expect a1 error=outcome_unknown delivered=unknown at=1s\nchrome starts a1 0\n"
	l := onWire(t, before).links(t)[0]
	require.NotEmpty(t, l.command(1))
	require.ErrorIs(t, l.far.end, syscall.ECONNRESET)
	require.Equal(t, second, l.far.endAt)
	fin := onWire(t, strings.Replace(before, "rst", "fin", 1)).links(t)[0]
	require.ErrorIs(t, fin.far.end, io.EOF)
	onWire(t, "chrome join sessions=shop\nagent do a1 close_tab session=shop\nchrome started a1\nchrome drop rst\nagent expect a1 error=outcome_unknown\nchrome starts a1 1\n")
}

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		how  string
		want error
	}{{"fin", io.EOF}, {"rst", syscall.ECONNRESET}} {
		out := onWire(t, one+"chrome cut after=10 by="+tc.how+"\n+1s\nchrome reply a1 ok\nchrome expect close at=2s\nagent expect a1 error=outcome_unknown at=2s\n").links(t)[0]
		require.Equal(t, 10, bytesOf(out.near.sent, 2*second), "of the answer")
		require.ErrorIs(t, out.far.end, tc.want)
		require.Equal(t, 2*second, out.far.endAt)

		in := onWire(t, one+"chrome cut after=10 of=in by="+tc.how+"\n+1s\nagent do a2 evaluate code=2 session=shop\nagent expect a2 error=outcome_unknown at=2s\nchrome expect close at=2s\nchrome starts a2 0\n").links(t)[0]
		require.Equal(t, 10, bytesOf(in.near.got, 2*second), "of the command")
		require.ErrorIs(t, in.far.end, tc.want)
	}
	whole := onWire(t, one+"chrome cut after=10\nchrome heal\n+1s\nchrome reply a1 ok\nagent expect a1 ok at=2s\n").links(t)[0]
	require.Len(t, whole.results(1), 1)
}

func TestSplit(t *testing.T) {
	for _, n := range []string{"1", "7"} {
		size := int(n[0] - '0')
		l := onWire(t, one+"chrome split "+n+"\nchrome split "+n+" of=in\n+1s\nchrome reply a1 data={\"value\":2}\nagent do a2 evaluate code=2 session=shop\nchrome reply a2 ok\nagent expect a1 ok\nagent expect a2 ok\n").links(t)[0]
		least := 0
		for _, p := range append(l.near.sent, l.near.got...) {
			if p.at >= 2*second {
				require.LessOrEqual(t, len(p.data), size)
				least++
			}
		}
		require.Greater(t, least, 100/size)
		require.Len(t, l.results(1), 1, "nothing is lost")
	}
	l := onWire(t, one+"chrome split 1\nchrome heal\n+1s\nchrome reply a1 data={\"value\":2}\n").links(t)[0]
	require.Greater(t, len(l.near.sent[len(l.near.sent)-1].data), 20)
}

// TestFaultsOfTheNetworkAreTogether: a cut of what is split, a stall of either,
// and the end of all but the stall.
func TestFaultsOfTheNetworkAreTogether(t *testing.T) {
	cut := onWire(t, one+"chrome split 3\nchrome cut after=10\n+1s\nchrome reply a1 ok\nchrome expect close at=2s\n").links(t)[0]
	sizes := []int{}
	for _, p := range cut.near.sent {
		if p.at >= 2*second && len(p.data) > 0 {
			sizes = append(sizes, len(p.data))
		}
	}
	require.Equal(t, []int{3, 3, 3, 1}, sizes)

	split := onWire(t, one+"chrome split 1\nchrome stall\n+1s\nchrome thaw\nchrome reply a1 data={\"value\":2}\nagent expect a1 ok\n").links(t)[0]
	for _, p := range split.near.sent {
		require.False(t, p.at >= 2*second && len(p.data) > 1, "it is split after the stall, too")
	}

	still := onWire(t, one+"chrome split 1\nchrome stall\nchrome heal\n+30s\nchrome thaw\nchrome reply a1 data={\"value\":2}\nagent expect a1 ok at=31s\n").links(t)[0]
	require.Equal(t, 0, bytesOf(still.near.sent, second)-bytesOf(still.near.sent, 31*second), "heal ends no stall")
	require.Greater(t, len(still.near.sent[len(still.near.sent)-1].data), 20, "and what was split is so no longer")
}

// TestStall: with its background frozen the browser reads nothing, sends nothing
// and lets no timer run out, with its socket open.
func TestStall(t *testing.T) {
	l := onWire(t, one+"chrome stall\n+1s\nagent do a2 evaluate code=2 session=shop timeout=20s\n+40s\nagent expect a2 error=outcome_unknown at=22s\nchrome starts a2 0\n+0.5s\nchrome thaw\nchrome expect a2 at=42.5s\nchrome reply a1 ok\nagent expect a1 ok at=42.5s\n").links(t)[0]
	for _, p := range append(l.near.sent, l.near.got...) {
		require.False(t, p.at >= 2*second && p.at < 42500*time.Millisecond, "%s at %s", p.data, p.at)
	}
	require.GreaterOrEqual(t, l.far.endAt, 42500*time.Millisecond, "its socket is open")
}

// TestDeafen: nothing is read, and the extension's timers run on.
func TestDeafen(t *testing.T) {
	l := onWire(t, one+"chrome deafen\n+1s\nagent do a2 evaluate code=2 session=shop timeout=1m\n+20s\nchrome listen\nchrome expect a2 at=22s\n").links(t)[0]
	for _, p := range l.near.got {
		require.False(t, p.at >= 2*second && p.at < 22*second, "%s at %s", p.data, p.at)
	}
	pings := []time.Duration{}
	for _, m := range l.said() {
		if m.text == `{"type":"ping"}` && m.at <= 22*second {
			pings = append(pings, m.at)
		}
	}
	require.Equal(t, []time.Duration{20 * second}, pings)
}

func TestGarbageAndFrame(t *testing.T) {
	for line, want := range map[string]string{
		"garbage":                                            "}{ no JSON",
		"garbage bytes=100":                                  strings.Repeat("x", 100),
		"garbage file\n-- file --\n{ no":                     "{ no",
		"frame {\"type\":\"event\",\"event\":\"x\"}":         `{"type":"event","event":"x"}`,
		"frame f.b64\n-- f.b64 --\neyJ0eXBlIjoiZXZlbnQifQ==": `{"type":"event"}`,
	} {
		l := onWire(t, "chrome join\nchrome "+line+"\n").links(t)[0]
		require.Equal(t, want, l.said()[1].text, line)
		require.Equal(t, byte(1), l.said()[1].opcode, "it is a text message")
	}
}

func TestPing(t *testing.T) {
	l := onWire(t, "chrome join\n+1s\nchrome ping\nchrome expect pong at=1s\n+20s\n").links(t)[0]
	var at []time.Duration
	for _, m := range l.said() {
		if m.text == `{"type":"ping"}` {
			at = append(at, m.at)
		}
	}
	require.Equal(t, []time.Duration{second, 20 * second}, at)
}

// TestOversize: one message of exactly so many bytes, at the edge of what an
// answer needs and at that of what a daemon takes.
func TestOversize(t *testing.T) {
	l := onWire(t, one+"chrome oversize a1 bytes=1000\nagent expect a1 ok\n").links(t)[0]
	require.Len(t, l.results(1)[0].text, 1000)
	least := len(l.results(1)[0].text) - strings.Count(l.results(1)[0].text, "x") + strings.Count(`"ok":true`, "x")
	for by, reason := range []string{"", "the smallest answer to a1 has "} {
		tr := play(t, one+"chrome oversize a1 bytes="+strconv.Itoa(least-by)+"\n")
		if reason == "" {
			require.True(t, tr.OK(), tr.Verdict())
			continue
		}
		require.NotNil(t, tr.Failed())
		require.Equal(t, reason+strconv.Itoa(least)+" bytes", tr.Failed().Reason)
	}
	const most = 32 << 20
	onWire(t, one+"chrome oversize a1 bytes="+strconv.Itoa(most)+"\nagent expect a1 ok\n")
	onWire(t, one+"chrome oversize a1 bytes="+strconv.Itoa(most+1)+"\nchrome expect close 1009\nagent expect a1 error=outcome_unknown\n")
}

func TestClose(t *testing.T) {
	for _, code := range []int{0, 999, 1000, 1001, 1005, 1006, 1015, 3000, 4999, 5000, 65535} {
		l := onWire(t, "chrome join\n+1s\nchrome close "+strconv.Itoa(code)+" reason=\"going away\"\nchrome expect close\n").links(t)[0]
		got, reason := l.closing().closes()
		require.Equal(t, code, got)
		require.Equal(t, second, l.closing().at)
		if code != 0 {
			require.Equal(t, "going away", reason)
		}
	}
}

// TestSuspendAndResume: the socket goes as the profile says, what ran is
// forgotten, and the sessions are there when the background starts again.
func TestSuspendAndResume(t *testing.T) {
	all := onWire(t, one+"chrome suspend\nagent expect a1 error=outcome_unknown at=1s\n+1m\nchrome resume\n+1m\nagent do a2 evaluate code=2 session=shop\nchrome reply a2 ok\nagent expect a2 ok\n").links(t)
	require.Len(t, all, 2)
	code, _ := all[0].closing().closes()
	require.Equal(t, 1001, code)
	require.Equal(t, second, all[0].closing().at)
	require.Empty(t, all[0].results(1, all[1]), "what ran is forgotten")
	hello := all[1].said()[0]
	require.Equal(t, 61*second, hello.at)
	require.Contains(t, hello.text, `"sessions":["shop"]`)
}

func TestRestart(t *testing.T) {
	all := onWire(t, one+"daemon restart\nchrome expect close 1001 at=1s\nagent expect a1 error=outcome_unknown at=1s\nchrome join\nagent do a2 evaluate code=2 session=shop\nchrome reply a2 ok\nagent expect a2 ok\n").links(t)
	require.Len(t, all, 2)
	told := all[0].told()
	last := told[len(told)-1]
	require.Equal(t, byte(8), last.opcode)
	code, _ := last.closes()
	require.Equal(t, 1001, code)
	require.Equal(t, second, last.at)

	onWire(t, one+"daemon stop\n+1m\ndaemon start\nchrome join\nagent send on GET /ping\nagent expect on status=200\n")
}

func TestBusy(t *testing.T) {
	l := onWire(t, "chrome join sessions=shop\nchrome busy times=2\nagent do a evaluate code=1 session=shop times=3\nagent expect a.1 error=busy\nagent expect a.2 error=busy\nchrome starts a.1 0\nchrome started a.3\nchrome reply a.3 ok\nagent expect a.3 ok\nchrome busy\nchrome heal\nagent do b evaluate code=1 session=shop\nchrome reply b ok\nagent expect b ok\n").links(t)[0]
	for n, busy := range []bool{true, true, false, false} {
		require.Len(t, l.results(n+1), 1)
		require.Equal(t, busy, strings.Contains(l.results(n + 1)[0].text, `"busy"`))
	}
}

func TestAutoHoldAndRelease(t *testing.T) {
	l := onWire(t, "chrome join sessions=shop\nchrome auto action=evaluate\nagent do a evaluate code=1 session=shop timeout=1m\nagent expect a ok\nagent do b snapshot session=shop timeout=1m\nagent do b2 snapshot session=mail timeout=1m\n+1s\nagent expect b pending\nchrome release all\nagent expect b ok\nagent expect b2 ok\nchrome hold\nagent do c evaluate code=1 session=shop timeout=1m\n+1s\nagent expect c pending\nchrome release c\nagent expect c ok\nchrome auto\nagent do d snapshot session=shop\nagent expect d ok\n").links(t)[0]
	var at []time.Duration
	for n := 1; n <= 5; n++ {
		require.Len(t, l.results(n), 1)
		at = append(at, l.results(n)[0].at)
	}
	require.Equal(t, []time.Duration{0, second, second, 2 * second, 2 * second}, at)
}

func TestAsk(t *testing.T) {
	l := onWire(t, "chrome join sessions=shop\nchrome auto\nchrome ask r1 evaluate code=1 session=shop timeout=7s\nchrome expect r1 ok\n").links(t)[0]
	require.JSONEq(t, `{"type":"request","id":"r1","action":"evaluate","session":"shop","args":{"code":"1"},"timeout_ms":7000}`, l.said()[1].text)
}

func TestCloseTab(t *testing.T) {
	const tabs = "agent do %s tabs session=shop\nagent expect %s ok data={\"tabs\":%s}\n"
	open := fmt.Sprintf(tabs, "a", "a", `[{"tab":1,"url":"about:blank","title":"","current":true,"borrowed":false,"session":"shop"}]`)
	onWire(t, "chrome join sessions=shop\nchrome auto\n"+open+"chrome close-tab 1\n"+fmt.Sprintf(tabs, "b", "b", "[]"))
	tr := play(t, "chrome join sessions=shop\nchrome close-tab 2\n")
	require.Contains(t, tr.Verdict(), "x.tape:3: not as the tape says: chrome has no tab 2")
}

func TestPicture(t *testing.T) {
	const png = "iVBORw0KGgo="
	onWire(t, "chrome join sessions=shop\nagent do a screenshot session=shop\nchrome reply a file=p.b64\nagent expect a ok data={\"base64\":\""+png+"\"}\n-- p.b64 --\n"+png+"\n")
}

// TestSend: what a line says of a request is what the daemon gets.
func TestSend(t *testing.T) {
	got := onWire(t, `agent send a POST /command {"action":"sessions"}
agent send b GET /ping token=none origin=https://evil.test host=evil.test header="X-One: 1" header="X-Two: 2"
agent send c POST /command bytes=200 type=text/plain
agent send d POST /command chunked=true {"action":"sessions"}
agent send e POST /command bytes=5 token=wrong
agent do f click ref=@e4 session=shop browser=chrome timeout=2s as=mine
`).requests()
	require.Len(t, got, 6)
	require.True(t, strings.HasPrefix(got[0], "POST /command HTTP/1.1\r\n"))
	require.Contains(t, got[0], "Content-Type: application/json\r\n")
	require.Contains(t, got[0], "Content-Length: 21\r\n")
	require.Contains(t, got[0], "Authorization: Bearer ")
	require.True(t, strings.HasSuffix(got[0], "\r\n\r\n"+`{"action":"sessions"}`))
	for _, head := range []string{"GET /ping HTTP/1.1\r\n", "Origin: https://evil.test\r\n", "Host: evil.test\r\n", "X-One: 1\r\n", "X-Two: 2\r\n"} {
		require.Contains(t, got[1], head)
	}
	require.NotContains(t, got[1], "Authorization")
	require.Contains(t, got[2], "Content-Type: text/plain\r\n")
	_, body, _ := strings.Cut(got[2], "\r\n\r\n")
	require.Len(t, body, 200)
	require.Contains(t, got[3], "Transfer-Encoding: chunked\r\n")
	require.NotContains(t, got[3], "Content-Length")
	require.Contains(t, got[4], "Authorization: Bearer "+strings.Repeat("A", 43)+"\r\n")
	_, body, _ = strings.Cut(got[5], "\r\n\r\n")
	require.JSONEq(t, `{"id":"mine","action":"click","session":"shop","browser":"chrome","args":{"ref":"@e4"},"timeout_ms":2000}`, body)
}

func TestHangUp(t *testing.T) {
	w := onWire(t, one+"agent hang-up a1\nagent expect a1 no-answer at=1s\n")
	for _, far := range w.far {
		if errors.Is(far.end, io.EOF) && far.endAt == second {
			return
		}
	}
	require.Fail(t, "no connection ended at 1 s")
}
