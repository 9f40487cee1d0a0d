package player_test

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// wire is what passes between the actors of a tape and its daemon, below all
// that the player knows of it.
type wire struct {
	mu    sync.Mutex
	began time.Time
	// near are the actors' ends of the connections, far the daemon's.
	near, far map[string]*tapped
	order     []string
}

// over is a target whose wire is w.
type over struct {
	target.Target
	w *wire
}

func (o over) Start(ctx context.Context, s target.Setup) (target.Instance, error) {
	s.Network = &tap{s.Network, o.w}
	i, err := o.Target.Start(ctx, s)
	o.w.began = time.Now()
	return i, err
}

type tap struct {
	target.Network
	w *wire
}

func (t *tap) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	c, err := t.Network.Dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	return t.w.note(c, c.LocalAddr().String(), t.w.near), nil
}

func (t *tap) Listen(ctx context.Context, addr string) (net.Listener, error) {
	ln, err := t.Network.Listen(ctx, addr)
	return &listener{ln, t.w}, err
}

type listener struct {
	net.Listener
	w *wire
}

func (l *listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return l.w.note(c, c.RemoteAddr().String(), l.w.far), nil
}

func (w *wire) note(c net.Conn, name string, in map[string]*tapped) *tapped {
	w.mu.Lock()
	defer w.mu.Unlock()
	t := &tapped{Conn: c, w: w}
	in[name] = t
	if len(w.near) > len(w.order) {
		w.order = append(w.order, name)
	}
	return t
}

// tapped is one end of a connection, with what it read and wrote.
type tapped struct {
	net.Conn
	w         *wire
	got, sent []piece
	// end is the error of the last read.
	end   error
	endAt time.Duration
}

type piece struct {
	at   time.Duration
	data []byte
}

func (t *tapped) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	if n > 0 {
		t.got = append(t.got, piece{time.Since(t.w.began), append([]byte(nil), p[:n]...)})
	}
	if err != nil && t.end == nil {
		if timeout, ok := err.(net.Error); !ok || !timeout.Timeout() {
			t.end, t.endAt = err, time.Since(t.w.began)
		}
	}
	return n, err
}

func (t *tapped) Write(p []byte) (int, error) {
	n, err := t.Conn.Write(p)
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	t.sent = append(t.sent, piece{time.Since(t.w.began), append([]byte(nil), p[:n]...)})
	return n, err
}

func (t *tapped) Reset() error { return memnet.ResetConn(t.Conn) }

// message is one WebSocket message as it was on the wire.
type message struct {
	at     time.Duration
	opcode byte
	text   string
}

// closes is the code and the reason of a close frame, "" if it has none.
func (m message) closes() (code int, reason string) {
	if len(m.text) < 2 {
		return 0, ""
	}
	return int(binary.BigEndian.Uint16([]byte(m.text))), m.text[2:]
}

// link is one WebSocket of a browser.
type link struct {
	t         *testing.T
	near, far *tapped
}

// said is what the daemon got of the browser, whole messages alone.
func (l *link) said() []message { return messages(l.t, l.far.got) }

// told is what the browser got of the daemon.
func (l *link) told() []message { return messages(l.t, l.near.got) }

// results are the answers that the daemon got to the command that the browser
// was given n-th, from 1, on any link: pass the link that it was given on.
func (l *link) results(n int, on ...*link) []message {
	l.t.Helper()
	id := l.command(n)
	var out []message
	for _, from := range append([]*link{l}, on...) {
		for _, m := range from.said() {
			if m.opcode == 1 && strings.Contains(m.text, `"result"`) && strings.Contains(m.text, `"`+id+`"`) {
				out = append(out, m)
			}
		}
	}
	return out
}

// command is the daemon's id of the n-th command that the browser was given.
func (l *link) command(n int) string {
	l.t.Helper()
	for _, m := range l.told() {
		var f struct{ Type, ID string }
		if json.Unmarshal([]byte(m.text), &f) != nil || f.Type != "command" {
			continue
		}
		if n--; n == 0 {
			return f.ID
		}
	}
	require.Fail(l.t, "the browser was not given so many commands")
	return ""
}

// closing is the close frame that the daemon got.
func (l *link) closing() message {
	l.t.Helper()
	for _, m := range l.said() {
		if m.opcode == 8 {
			return m
		}
	}
	require.Fail(l.t, "no close frame")
	return message{}
}

// bytes returns how many bytes pieces have, of those since then.
func bytesOf(pieces []piece, since time.Duration) int {
	n := 0
	for _, p := range pieces {
		if p.at >= since {
			n += len(p.data)
		}
	}
	return n
}

// messages reads the messages out of a connection's bytes, behind its HTTP.
func messages(t *testing.T, pieces []piece) []message {
	t.Helper()
	var all []byte
	ends := []int{}
	for _, p := range pieces {
		all = append(all, p.data...)
		ends = append(ends, len(all))
	}
	at := strings.Index(string(all), "\r\n\r\n") + 4
	var out []message
	var begun message
	for {
		n, final, opcode, payload := frame(all[min(at, len(all)):])
		if n == 0 {
			return out
		}
		at += n
		i := 0
		for ends[i] < at {
			i++
		}
		m := message{pieces[i].at, opcode, string(payload)}
		switch {
		case opcode >= 8:
			out = append(out, m)
			continue
		case opcode == 0:
			begun.at, begun.text = m.at, begun.text+m.text
		default:
			begun = m
		}
		if final {
			out = append(out, begun)
		}
	}
}

// frame reads one frame (RFC 6455, section 5.2); n is 0 if it is not whole.
func frame(b []byte) (n int, final bool, opcode byte, payload []byte) {
	if len(b) < 2 {
		return 0, false, 0, nil
	}
	size, head := int(b[1]&0x7f), 2
	switch {
	case size == 126 && len(b) >= 4:
		size, head = int(binary.BigEndian.Uint16(b[2:])), 4
	case size == 127 && len(b) >= 10:
		size, head = int(binary.BigEndian.Uint64(b[2:])), 10
	case size >= 126:
		return 0, false, 0, nil
	}
	masked := b[1]&0x80 != 0
	if masked {
		head += 4
	}
	if len(b) < head+size {
		return 0, false, 0, nil
	}
	payload = append([]byte(nil), b[head:head+size]...)
	for i := range payload {
		if masked {
			payload[i] ^= b[head-4+i%4]
		}
	}
	return head + size, b[0]&0x80 != 0, b[0] & 0x0f, payload
}

// onWire plays a script in the virtual lane, as it says, and returns its wire.
func onWire(t *testing.T, script string) *wire {
	t.Helper()
	w := &wire{near: map[string]*tapped{}, far: map[string]*tapped{}}
	tr := playOn(t, parse(t, script), player.Options{Lane: virtual(t), Target: over{ours(), w}})
	require.True(t, tr.OK(), tr.Verdict())
	return w
}

// links are the WebSockets of the browsers, in the order of their connecting.
func (w *wire) links(t *testing.T) []*link {
	var out []*link
	for _, name := range w.order {
		if l := (&link{t, w.near[name], w.far[name]}); l.far != nil && strings.HasPrefix(l.request(), "GET /extension ") {
			out = append(out, l)
		}
	}
	return out
}

// requests are what agents sent, whole, in the order of their connecting. The
// player itself looks at the daemon's state once, last.
func (w *wire) requests() []string {
	var out []string
	for _, name := range w.order {
		if far := w.far[name]; far != nil {
			if r := (&link{far: far}).request(); !strings.HasPrefix(r, "GET /extension ") {
				out = append(out, r)
			}
		}
	}
	return out[:len(out)-1]
}

// request is all that the daemon read.
func (l *link) request() string {
	var b strings.Builder
	for _, p := range l.far.got {
		b.Write(p.data)
	}
	return b.String()
}
