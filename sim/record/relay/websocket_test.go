package relay

import (
	"encoding/binary"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

const (
	upgrade  = "GET /extension HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
	switched = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"
)

// inSocket runs test with both ends of a WebSocket. The events are those after
// the upgrade.
func inSocket(t *testing.T, keep int64, test func(t *testing.T, c, d net.Conn, events func() []string)) {
	t.Helper()
	inBubble(t, keep, func(t *testing.T, r *rig) {
		c, d := r.pair(t)
		send(t, c, upgrade)
		send(t, d, switched)
		require.Equal(t, []string{`1 GET /extension ""`, `1 101 ""`}, r.events())
		test(t, c, d, func() []string { return r.events()[2:] })
		_, _ = c.Close(), d.Close()
	})
}

func message(f sim.RawFrame) string { return string(f.AppendTo(nil)) }

func TestMessages(t *testing.T) {
	inSocket(t, 0, func(t *testing.T, c, d net.Conn, events func() []string) {
		long, longer := strings.Repeat("a", 126), strings.Repeat("b", 70_000)
		send(t, c, message(sim.RawFrame{Opcode: sim.OpText, Payload: []byte("hi")}))
		send(t, d, message(sim.RawFrame{Opcode: sim.OpText, Unmasked: true, Payload: []byte(long)}))
		send(t, c, message(sim.RawFrame{Opcode: sim.OpBinary, Payload: []byte{}}))
		// Fragments with a ping between them, all in pieces of one byte.
		for _, b := range []byte(message(sim.RawFrame{Opcode: sim.OpText, NotFinal: true, Payload: []byte("one ")}) +
			message(sim.RawFrame{Opcode: sim.OpPing, Payload: []byte("p")}) +
			message(sim.RawFrame{Opcode: sim.OpContinuation, Payload: []byte("two")})) {
			send(t, c, string([]byte{b}))
		}
		go func() { _, _ = io.Copy(io.Discard, d) }()
		send(t, c, message(sim.RawFrame{Opcode: sim.OpText, Payload: []byte(longer)}))
		send(t, d, message(sim.RawFrame{Opcode: sim.OpClose, Unmasked: true, Payload: append(binary.BigEndian.AppendUint16(nil, 1001), "bye"...)}))
		send(t, c, message(sim.RawFrame{Opcode: sim.OpClose}))
		require.NoError(t, d.Close())
		require.Equal(t, []string{
			`1 client 1 "hi"`, `1 server 1 "` + long + `"`, `1 client 2 ""`, `1 client 9 "p"`, `1 client 1 "one two"`,
			`1 client 1 "` + longer + `"`, `1 server close 1001 bye`, `1 client close 0 `, `1 server fin`,
		}, events())
	})
}

func TestAFragmentIsKeptAsItsMessage(t *testing.T) {
	inSocket(t, 5, func(t *testing.T, c, _ net.Conn, events func() []string) {
		send(t, c, message(sim.RawFrame{Opcode: sim.OpText, NotFinal: true, Payload: []byte("123")})+
			message(sim.RawFrame{Opcode: sim.OpContinuation, Payload: []byte("45")}))
		send(t, c, message(sim.RawFrame{Opcode: sim.OpText, NotFinal: true, Payload: []byte("123")})+
			message(sim.RawFrame{Opcode: sim.OpContinuation, Payload: []byte("456")}))
		require.Equal(t, []string{`1 client 1 "12345"`, `1 client 1 "12345" of 6`}, events())
	})
}

func TestASocketEnds(t *testing.T) {
	for how, end := range map[Ending]func(net.Conn) error{Fin: net.Conn.Close, Reset: memnet.ResetConn} {
		inSocket(t, 0, func(t *testing.T, c, _ net.Conn, events func() []string) {
			require.NoError(t, end(c))
			require.Equal(t, []string{"1 client " + string(how)}, events())
		})
		inSocket(t, 0, func(t *testing.T, _, d net.Conn, events func() []string) {
			require.NoError(t, end(d))
			require.Equal(t, []string{"1 server " + string(how)}, events())
		})
		inSocket(t, 0, func(t *testing.T, c, _ net.Conn, events func() []string) {
			text := message(sim.RawFrame{Opcode: sim.OpText, Payload: []byte("hello")})
			send(t, c, text[:len(text)-1])
			require.NoError(t, end(c))
			require.Equal(t, []string{"1 client " + string(how) + " cut within a message"}, events())
		})
	}
}

func TestFramesThatNoPeerSends(t *testing.T) {
	for why, f := range map[string]sim.RawFrame{
		"a compressed message, which omw.v1 has not":     {Opcode: sim.OpText, RSV: 4},
		"a reserved bit is set":                          {Opcode: sim.OpText, RSV: 1},
		"an opcode that is none":                         {Opcode: 3},
		"a control frame that is fragmented or too long": {Opcode: sim.OpPing, Payload: make([]byte, 126)},
		"a fragment of nothing":                          {Opcode: sim.OpContinuation},
	} {
		inSocket(t, 0, func(t *testing.T, c, d net.Conn, events func() []string) {
			send(t, c, message(f))
			got(t, d, upgrade)
			require.NoError(t, c.Close())
			require.Equal(t, []string{"1 client fin " + why}, events())
		})
	}
	inSocket(t, 0, func(t *testing.T, c, _ net.Conn, events func() []string) {
		send(t, c, message(sim.RawFrame{Opcode: sim.OpPing, Payload: make([]byte, 125)}))
		require.Len(t, events(), 1, "the longest control frame")
		send(t, c, message(sim.RawFrame{Opcode: sim.OpText, NotFinal: true})+message(sim.RawFrame{Opcode: sim.OpText}))
		require.NoError(t, c.Close())
		require.Equal(t, "1 client fin a message within a message", events()[1])
	})
}
