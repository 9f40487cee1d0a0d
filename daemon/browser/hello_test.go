package browser_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const goodHello = `{"type":"hello","browser":"chrome","browser_version":"156.0","sessions":["shop"]}`

func TestWhatEndsALink(t *testing.T) {
	policy := websocket.StatusPolicyViolation
	for _, tc := range []struct {
		name   string
		before string // said first, if anything
		say    string
		code   websocket.StatusCode
		reason string
	}{
		{"a ping before hello", "", `{"type":"ping"}`, policy, "the first frame must be a hello"},
		{"a result before hello", "", `{"type":"result","id":"1","ok":true,"data":{}}`, policy, "the first frame must be a hello"},
		{"a request before hello", "", `{"type":"request","action":"tabs"}`, policy, "the first frame must be a hello"},
		{"a type nobody knows before hello", "", `{"type":"?"}`, policy, "the first frame must be a hello"},
		{"the other browser's hello", "", `{"type":"hello","browser":"firefox","browser_version":"1","sessions":[]}`, policy, "hello claims another browser than its Origin, which is Chrome's"},
		{"a second hello", goodHello, goodHello, policy, "a second hello"},
		{"no JSON", goodHello, `{`, policy, "a frame is no good JSON: the JSON ends too early"},
		{"no type", goodHello, `{}`, policy, `a frame has no "type"`},
		{"nothing", goodHello, ``, policy, "a frame is no good JSON: the JSON ends too early"},
		{"no UTF-8", goodHello, "{\"type\":\"\xff\"}", websocket.StatusInvalidFramePayloadData, "a frame is not valid UTF-8"},
		{"no UTF-8 before hello", "", "\xff", websocket.StatusInvalidFramePayloadData, "a frame is not valid UTF-8"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				if tc.before != "" {
					s.ext.Say(tc.before)
					require.IsType(t, &protocol.Welcome{}, s.ext.Next())
				}
				s.ext.Say(tc.say)
				code, reason := s.ext.Closed()
				require.Equal(t, tc.code, code)
				require.Equal(t, tc.reason, reason)
				require.Zero(t, s.endsWithin(time.Second))
			})
		})
	}
}

func TestBinaryMessageEndsALink(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		s.ext.SayBinary([]byte(`{"type":"ping"}`))
		code, reason := s.ext.Closed()
		require.Equal(t, websocket.StatusUnsupportedData, code)
		require.Equal(t, "frames are text", reason)
	})
}

func TestFramesThatChangeNothing(t *testing.T) {
	for _, say := range []string{
		`{"type":"pong"}`, `{"type":"?"}`, `{"type":"event","event":"?"}`,
		`{"type":"result","id":"nobody's","ok":true,"data":{}}`,
		`{"type":"result","id":"nobody's"}`,
		`{"type":"welcome","daemon_version":"1","limits":{}}`,
	} {
		t.Run(say, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				s.ext.Say(say)
				s.ext.Say(`{"type":"ping"}`)
				require.Equal(t, protocol.Pong{}, s.ext.Next())
			})
		})
	}
}

func TestHelloIsKept(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		require.Zero(t, s.connected.Load())
		s.ext.Say(goodHello)
		require.IsType(t, &protocol.Welcome{}, s.ext.Next())
		require.Equal(t, int64(1), s.connected.Load())
		require.Equal(t, protocol.Hello{Browser: protocol.Chrome, BrowserVersion: "156.0", Sessions: []string{"shop"}}, s.link.Hello())
		require.Equal(t, protocol.Chrome, s.link.Browser())
	})
}

func TestHelloHasTenSeconds(t *testing.T) {
	t.Run("a nanosecond less", func(t *testing.T) {
		bubble(t, func(t *testing.T, s *scene) {
			time.Sleep(10*time.Second - time.Nanosecond)
			s.hello()
			time.Sleep(time.Second)
			require.Zero(t, s.ended.Load())
		})
	})
	t.Run("none", func(t *testing.T) {
		bubble(t, func(t *testing.T, s *scene) {
			began := time.Now()
			code, reason := s.ext.Closed()
			require.Equal(t, 10*time.Second, time.Since(began))
			require.Equal(t, websocket.StatusPolicyViolation, code)
			require.Equal(t, "no hello within 10s", reason)
		})
	})
}

func TestSilentLinkIsDropped(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		began := time.Now()
		code, reason := s.ext.Closed()
		require.Equal(t, 45*time.Second, time.Since(began))
		require.Equal(t, websocket.StatusPolicyViolation, code)
		require.Equal(t, "nothing was received for 45s", reason)
	})
}

// Whatever comes, be it a byte of a message that takes minutes, a link that
// sends is not silent.
func TestLinkThatSendsIsNotSilent(t *testing.T) {
	big := frame(opText, true, []byte(`{"type":"`+strings.Repeat("x", 100_000)+`"}`))
	for _, tc := range []struct {
		name string
		send [][]byte
	}{
		{"messages", [][]byte{frame(opText, true, []byte(`{"type":"?"}`)), frame(opText, true, []byte(`{"type":"?"}`))}},
		{"pings of RFC 6455", [][]byte{frame(opPing, true, nil), frame(opPing, true, nil)}},
		{"the header and parts of a large frame", [][]byte{big[:3], big[3:10], big[10:40_000], big[40_000:90_000], big[90_000:]}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				go discard(s.ext.Wire)
				for _, part := range tc.send {
					time.Sleep(45*time.Second - time.Nanosecond)
					_, err := s.ext.Wire.Write(part)
					require.NoError(t, err)
				}
				time.Sleep(45*time.Second - time.Nanosecond)
				synctest.Wait()
				require.Zero(t, s.ended.Load())
				time.Sleep(time.Nanosecond)
				synctest.Wait()
				require.Equal(t, int64(1), s.ended.Load())
			})
		})
	}
}
