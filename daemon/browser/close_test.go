package browser_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// grace is what a dead peer costs at most when a link is closed.
const grace = 2 * time.Second

func TestCloseDoesNotWaitForADeadPeer(t *testing.T) {
	large := []byte(`{"text":"` + strings.Repeat("x", 1<<20) + `"}`)
	for _, tc := range []struct {
		name string
		peer func(s *scene) // what the peer is doing
		took time.Duration
	}{
		{"it answers the close", func(s *scene) { go s.ext.Closed() }, 0},
		{"it reads nothing", func(*scene) {}, grace},
		{"it reads and answers nothing", func(s *scene) { go discard(s.ext.Wire) }, grace},
		{"it stalls in a large frame", func(s *scene) {
			s.admit("type", "shop").Send(large)
			_, _ = io.ReadFull(s.ext.Wire, make([]byte, 100_000))
		}, grace},
		{"it says a ping and stalls in a large frame", func(s *scene) {
			s.admit("type", "shop").Send(large)
			_, _ = io.ReadFull(s.ext.Wire, make([]byte, 100_000))
			_, _ = s.ext.Wire.Write(frame(opPing, true, nil))
		}, grace},
		{"it stalls in the middle of a message", func(s *scene) {
			go discard(s.ext.Wire)
			_, _ = s.ext.Wire.Write(frame(opText, true, large)[:1000])
		}, grace},
		{"it sends without end", func(s *scene) {
			go discard(s.ext.Wire)
			go func() {
				for {
					if _, err := s.ext.Wire.Write(frame(opText, true, []byte(`{"type":"?"}`))); err != nil {
						return
					}
					time.Sleep(time.Millisecond)
				}
			}()
		}, grace},
		{"it is gone", func(s *scene) { _ = s.ext.Wire.Close() }, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				c := s.send("click", "shop")
				s.ext.Command("click")
				tc.peer(s)
				synctest.Wait()
				s.link.Close(websocket.StatusGoingAway, "away")
				require.NotNil(t, s.settled(c), "its commands do not wait for the handshake")
				require.Equal(t, tc.took, s.endsWithin(time.Minute))
			})
		})
	}
}

// The library waits 5 s for its peer in places of its own.
func TestLinkEndsByItselfThoughThePeerReadsNothing(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		_, err := s.ext.Wire.Write(frame(opText, true, []byte("nonsense")))
		require.NoError(t, err)
		require.Equal(t, grace, s.endsWithin(time.Minute))
	})
}

func TestFirstReasonIsTold(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		s.link.Close(websocket.StatusGoingAway, "the first")
		s.link.Close(websocket.StatusPolicyViolation, "the second")
		code, reason := s.ext.Closed()
		require.Equal(t, websocket.StatusGoingAway, code)
		require.Equal(t, "the first", reason)
	})
}

func TestReasonIsCutToItsFrame(t *testing.T) {
	for _, tc := range []struct {
		name, reason string
		want         int
	}{
		{"123 bytes", strings.Repeat("x", 123), 123},
		{"124 bytes", strings.Repeat("x", 124), 123},
		{"a character over the edge", strings.Repeat("x", 122) + "語", 122},
		{"characters up to the edge", strings.Repeat("語", 42), 123},
		{"a long one", strings.Repeat("é", 500), 122},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				s.link.Close(websocket.StatusPolicyViolation, tc.reason)
				code, reason := s.ext.Closed()
				require.Equal(t, websocket.StatusPolicyViolation, code)
				require.Equal(t, tc.reason[:tc.want], reason)
				require.True(t, utf8.ValidString(reason))
			})
		})
	}
}

// A link is open from the upgrade on, before its hello and before it is run.
func TestCloseBeforeHello(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.link.Close(websocket.StatusGoingAway, "away")
		code, _ := s.ext.Closed()
		require.Equal(t, websocket.StatusGoingAway, code)
		require.Zero(t, s.endsWithin(time.Second))
		require.Zero(t, s.connected.Load())
	})
}

func TestBreachOfTheWebSocketProtocolIsTold(t *testing.T) {
	for _, tc := range []struct {
		name  string
		frame []byte
	}{
		{"a frame that is not masked", []byte{0x81, 2, '{', '}'}},
		{"a reserved bit", append([]byte{0xc1}, frame(opText, true, []byte("{}"))[1:]...)},
		{"an opcode that is none", frame(3, true, nil)},
		{"a continuation of nothing", frame(0, true, []byte("x"))},
		{"a message inside a message", append(frame(opText, false, []byte("{")), frame(opText, true, []byte("}"))...)},
		{"a ping in two frames", frame(opPing, false, nil)},
		{"a ping of 126 bytes", frame(opPing, true, make([]byte, 126))},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				c := s.send("click", "shop")
				s.ext.Command("click")
				go func() { _, _ = s.ext.Wire.Write(tc.frame) }()
				opcode, _, payload, err := received(s.ext.Wire)
				require.NoError(t, err)
				require.Equal(t, byte(opClose), opcode)
				require.Equal(t, []byte{1002 >> 8, 1002 & 0xff}, payload[:2])
				require.Equal(t, protocol.OutcomeUnknown, s.settled(waited(c)).Code)
				_ = s.ext.Wire.Close()
			})
		})
	}
}

func TestMessageTooLargeEndsTheLink(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		c := s.send("click", "shop")
		s.ext.Command("click")
		go func() {
			_, _ = s.ext.Wire.Write(frame(opText, true, make([]byte, protocol.DefaultLimits().Message+1)))
		}()
		code, _ := s.ext.Closed()
		require.Equal(t, websocket.StatusMessageTooBig, code)
		require.Equal(t, protocol.DeliveredUnknown, s.settled(waited(c)).Delivered)
	})
}

// A ping that comes while a large message is written is answered between two of
// its fragments, and the message is whole.
func TestPongGoesOutInsideALargeMessage(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		text := `{"text":"` + strings.Repeat("x", 1<<20) + `"}`
		s.admit("type", "shop").Send([]byte(text))
		var message []byte
		pongs, fragments := 0, 0
		for final := false; !final; {
			opcode, last, payload, err := received(s.ext.Wire)
			require.NoError(t, err)
			if opcode == opPong {
				require.Equal(t, "hi", string(payload))
				pongs++
				continue
			}
			require.LessOrEqual(t, len(payload), 64<<10)
			message = append(message, payload...)
			final = last
			if fragments++; fragments == 2 {
				_, err := s.ext.Wire.Write(frame(opPing, true, []byte("hi")))
				require.NoError(t, err)
			}
		}
		require.Equal(t, 1, pongs, "inside the message")
		f, err := protocol.DecodeFrame(message)
		require.NoError(t, err)
		require.Equal(t, text, string(f.(*protocol.CommandFrame).Args))
	})
}

// What expires while the peer reads nothing is not written when it reads again.
func TestWhatExpiresInTheQueueIsNeverSent(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		s.send("click", "first") // the writer waits in its frame
		synctest.Wait()
		c, err := s.tryAdmit("hover", "shop", time.Second)
		require.NoError(t, err)
		c.Send([]byte("{}"))
		last := s.send("focus", "shop")
		time.Sleep(time.Second)
		failed := s.settled(waited(c))
		require.Equal(t, protocol.OutcomeUnknown, failed.Code)
		require.Equal(t, protocol.DeliveredNo, failed.Delivered)
		s.ext.Command("click")
		s.ext.Answer(s.ext.Command("focus"), "{}")
		require.Nil(t, s.settled(waited(last)))
		last.Free()
	})
}

// The writer reports a connection that takes nothing.
func TestWriteThatFailsEndsTheLink(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		c := s.send("click", "shop")
		synctest.Wait() // the writer waits in the frame
		require.NoError(t, s.ext.Wire.Close())
		require.Zero(t, s.endsWithin(time.Second))
		require.Equal(t, protocol.DeliveredUnknown, s.settled(c).Delivered)
		_, err := s.ext.Wire.Read(make([]byte, 1))
		require.True(t, errors.Is(err, io.ErrClosedPipe))
	})
}
