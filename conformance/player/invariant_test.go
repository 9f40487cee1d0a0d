package player_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// plain is a tape in which nothing is wrong.
const plain = `chrome join sessions=shop
chrome auto
agent do a1 evaluate code=1 session=shop timeout=2s
agent do a2 evaluate code=2 session=shop timeout=2s
`

const idle = `{"requests":1,"buffered_bytes":0,"browsers":{"chrome":{"commands":0,"reserved":0},"firefox":{"commands":0,"reserved":0}}}`

// TestInvariants: what holds in every tape is judged in a tape that expects
// nothing of it, against daemons that break it, at the edge.
func TestInvariants(t *testing.T) {
	after := func(d time.Duration) func(*liar, http.ResponseWriter, protocol.Command) {
		return func(l *liar, w http.ResponseWriter, c protocol.Command) {
			l.give(c)
			l.pause(d)
			l.tell(w, done)
		}
	}
	for _, tc := range []struct {
		name    string
		command func(*liar, http.ResponseWriter, protocol.Command)
		status  string
		want    string
	}{
		{"all is well", nil, idle, ""},
		{"an answer at its deadline", after(2 * time.Second), idle, ""},
		{"an answer behind its deadline", after(2*time.Second + 1), idle, "late: a1 was answered 2.000000001s after it was sent, and has 2s"},
		{"no answer", after(time.Hour), idle, "unanswered: a1 has no answer and no end 2.001s after it was sent"},
		{"an answer behind the answer", func(l *liar, w http.ResponseWriter, c protocol.Command) {
			<-l.give(c)
			conn, out, err := w.(http.Hijacker).Hijack()
			if err != nil {
				return
			}
			defer func() { _ = conn.Close() }()
			for range 2 {
				body := `{"id":"x",` + done + `}`
				_, _ = fmt.Fprintf(out, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
				_ = out.Flush()
			}
		}, idle, "answered twice: a1 has its answer, and more came behind it"},
		{"a command that nobody sent", func(l *liar, w http.ResponseWriter, c protocol.Command) {
			other := c
			other.Session = "mail"
			l.give(other)
			l.honest(w, c)
		}, idle, `unasked: chrome was given a evaluate of session "mail" that nobody of the tape sent`},
		{"a command that is sent twice", func(l *liar, w http.ResponseWriter, c protocol.Command) {
			if strings.Contains(string(c.Args), "2") {
				l.give(c)
			}
			l.honest(w, c)
		}, idle, "sent twice: a2 was given to browsers 2 times"},
		{"another order", func(l *liar, w http.ResponseWriter, c protocol.Command) {
			if strings.Contains(string(c.Args), "1") {
				l.pause(time.Second)
			}
			l.honest(w, c)
		}, idle, `out of order: a1 of session "shop" was given to chrome behind a2, which was sent later`},
		{"a request that is still served", nil, strings.Replace(idle, `"requests":1`, `"requests":2`, 1), "slot kept: 1 requests are being served when each has ended"},
		{"an answer that is still held", nil, strings.Replace(idle, `"buffered_bytes":0`, `"buffered_bytes":1`, 1), "bytes kept: 1 bytes of answers are held when each has been read"},
		{"a command that is still under way", nil, strings.Replace(idle, `"commands":0`, `"commands":1`, 1), "slot kept: 1 commands and 0 reserved ones are in flight to chrome when each has ended"},
		{"a reserved slot that is taken", nil, idle[:strings.LastIndex(idle, "0")] + "1}}}", "slot kept: 0 commands and 1 reserved ones are in flight to firefox when each has ended"},
		{"an answer to what no browser did", func(l *liar, w http.ResponseWriter, _ protocol.Command) { l.tell(w, done) }, idle, `dishonest: KIT-10/answered-unstarted: request "a1" was answered as done, and no browser started it`},
		{"a refusal of what a browser did", func(l *liar, w http.ResponseWriter, c protocol.Command) {
			<-l.give(c)
			l.tell(w, `"ok":false,"error":{"code":"busy","message":"no","delivered":"no"}`)
		}, idle, `dishonest: KIT-10/refused-and-started: request "a1" was refused, and yet a browser started it`},
		{"what a browser did twice", func(l *liar, w http.ResponseWriter, c protocol.Command) {
			<-l.give(c)
			l.honest(w, c)
		}, idle, `dishonest: KIT-10/started-twice: request "a1" was started 2 times`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := &liar{command: tc.command, status: tc.status}
			tr := playOn(t, parse(t, plain), player.Options{Lane: virtual(t), Target: lying(l)})
			require.Nil(t, tr.Failed(), tr.Verdict())
			if tc.want == "" {
				require.True(t, tr.OK(), tr.Verdict())
				return
			}
			broken := tr.Invariants
			if tr.Dishonest != "" {
				broken = append(broken, "dishonest: "+tr.Dishonest)
			}
			require.Contains(t, broken, tc.want)
			require.False(t, tr.OK())
			require.Equal(t, "x.tape: 0 of 0 expectations held, and yet: "+tr.Broken(), tr.Verdict())
		})
	}
}
