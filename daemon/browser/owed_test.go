package browser_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// A peer that asks and reads nothing is not answered without bound: what it
// sends waits in its own end, and it all goes on when it reads.
func TestPeerThatOnlyAsksIsHeldBack(t *testing.T) {
	const asks = 3000
	for _, tc := range []struct {
		name, ask string
		answered  int64 // requests whose results wait to be read
	}{
		{"pings", `{"type":"ping"}`, 0},
		{"requests", `{"type":"request","id":"1","action":"tabs"}`, 1024},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				var asked, served atomic.Int64
				s.asked = func(*protocol.Request) []byte {
					served.Add(1)
					return []byte(`{"type":"result","id":"1","ok":true,"data":{}}`)
				}
				go func() {
					for range asks {
						if _, err := s.ext.Wire.Write(frame(opText, true, []byte(tc.ask))); err != nil {
							return
						}
						asked.Add(1)
					}
				}()
				synctest.Wait()
				require.InDelta(t, 1024, asked.Load(), 100)
				require.Equal(t, tc.answered, served.Load())
				require.Zero(t, s.freed.Load(), "the bytes of a result are held until they are written")
				for range asks {
					_, _, _, err := received(s.ext.Wire)
					require.NoError(t, err)
				}
				synctest.Wait()
				require.Equal(t, int64(asks), asked.Load())
				require.Equal(t, served.Load(), s.freed.Load())
			})
		})
	}
}

func TestHeldBackPeerDoesNotKeepTheLink(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		go func() {
			for range 3000 {
				if _, err := s.ext.Wire.Write(frame(opText, true, []byte(`{"type":"request","id":"1","action":"tabs"}`))); err != nil {
					return
				}
			}
		}()
		synctest.Wait()
		s.link.Close(1001, "away")
		require.Equal(t, grace, s.endsWithin(time.Minute))
		require.Equal(t, int64(1024), s.freed.Load(), "what will not be written is given back")
	})
}

func TestRequestIsAnsweredBesideTheReader(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		s.asked = func(f *protocol.Request) []byte {
			time.Sleep(time.Second)
			return []byte(`{"type":"result","id":"` + f.ID + `","ok":true,"data":{}}`)
		}
		s.ext.Say(`{"type":"request","id":"mine","action":"tabs"}`)
		s.ext.Say(`{"type":"ping"}`)
		require.Equal(t, protocol.Pong{}, s.ext.Next())
		r, ok := s.ext.Next().(*protocol.Result)
		require.True(t, ok)
		require.Equal(t, "mine", r.ID)
		synctest.Wait()
		require.Equal(t, int64(1), s.freed.Load())
	})
}

// Run waits for the requests of a link that has ended: they are its own.
func TestRequestOutlivesItsLink(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		s.asked = func(*protocol.Request) []byte {
			time.Sleep(time.Minute)
			return []byte(strings.Repeat("x", 1000))
		}
		s.ext.Say(`{"type":"request","id":"mine","action":"tabs"}`)
		synctest.Wait()
		s.ext.Leave()
		synctest.Wait()
		require.Equal(t, int64(1), s.ended.Load(), "the place is free at once")
		require.Equal(t, time.Minute, s.endsWithin(time.Hour))
		require.Equal(t, int64(1), s.freed.Load())
	})
}
