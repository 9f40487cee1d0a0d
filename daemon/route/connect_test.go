package route_test

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/route"
)

func TestHelloSettlesWhoseTheSessionsAre(t *testing.T) {
	begin := bindings{"named": protocol.Chrome, "stale": protocol.Chrome, "other": protocol.Firefox, "theirs": protocol.Firefox}
	bubble(t, begin, func(t *testing.T, s *scene) {
		s.connect(protocol.Chrome, "named", "new", "theirs", "", " blank", "new")
		want := bindings{"named": protocol.Chrome, "new": protocol.Chrome, "other": protocol.Firefox, "theirs": protocol.Firefox}
		require.Equal(t, want, s.router.Bindings())
		require.Equal(t, want, s.disk.holds())
		require.Contains(t, s.log.String(), "no_names=2 too_many=0")
	})
}

func TestStaleBindingsAreDroppedOnTheDiskToo(t *testing.T) {
	bubble(t, bindings{"stale": protocol.Chrome, "other": protocol.Firefox}, func(t *testing.T, s *scene) {
		s.connect(protocol.Chrome)
		require.Equal(t, bindings{"other": protocol.Firefox}, s.disk.holds())
	})
}

func TestHelloThatChangesNothingSavesNothing(t *testing.T) {
	bubble(t, bindings{"shop": protocol.Chrome}, func(t *testing.T, s *scene) {
		s.connect(protocol.Chrome, "shop")
		require.Zero(t, s.disk.saves)
		require.Empty(t, s.log.String())
	})
}

// Of a hello that names too many sessions the first are taken, as they stand there.
func TestHelloBringsAtMostItsSessions(t *testing.T) {
	most := protocol.DefaultLimits().Sessions
	for _, tc := range []struct {
		name        string
		bound, more int // sessions that are bound already, and new ones, all named
		have        int
		over        int
	}{
		{"as many as may be", 0, most, most, 0},
		{"one more", 0, most + 1, most, 1},
		{"some are bound already", 100, 29, most, 1},
		{"too many are bound already", most + 2, 1, most + 2, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			begin := bindings{"fox": protocol.Firefox}
			var names []string
			for i := range tc.more {
				names = append(names, fmt.Sprintf("new %d", i))
			}
			for i := range tc.bound {
				begin[fmt.Sprintf("bound %d", i)] = protocol.Chrome
				names = append(names, fmt.Sprintf("bound %d", i))
			}
			bubble(t, begin, func(t *testing.T, s *scene) {
				s.connect(protocol.Chrome, names...)
				have := s.router.Bindings()
				require.Len(t, have, tc.have+1)
				for i := range tc.more - tc.over {
					require.Contains(t, have, fmt.Sprintf("new %d", i))
				}
			})
		})
	}
}

func TestBindingsThatCannotBeSavedAtHelloAreKept(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(1, 0)
		s.connect(protocol.Chrome, "shop")
		require.Equal(t, bindings{"shop": protocol.Chrome}, s.router.Bindings(), "the extension holds it all the same")
		require.Contains(t, s.log.String(), "bindings not saved")
	})
}

// A link may end while its hello is being read. It must not come back as a
// connected browser, nor take the place of the one that came after it.
func TestHelloOfALinkThatLeftChangesNothing(t *testing.T) {
	bubble(t, bindings{"shop": protocol.Chrome}, func(t *testing.T, s *scene) {
		s.late = func(p *route.Place) { p.Leave() }
		late := peer.Connect(t, s.listener, protocol.Chrome, "token")
		late.Say(`{"type":"hello","browser":"chrome","browser_version":"1","sessions":["late"]}`)
		synctest.Wait()
		require.Empty(t, s.router.Links())
		require.Equal(t, bindings{"shop": protocol.Chrome}, s.router.Bindings())
	})
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.late = func(p *route.Place) { p.Leave(); time.Sleep(time.Second) }
		late := peer.Connect(t, s.listener, protocol.Chrome, "token")
		late.Say(`{"type":"hello","browser":"chrome","browser_version":"1","sessions":[]}`)
		synctest.Wait()
		s.late = nil
		s.connect(protocol.Chrome)
		second := s.link(protocol.Chrome)
		time.Sleep(time.Second)
		require.Same(t, second, s.link(protocol.Chrome))
		late.Leave()
		synctest.Wait()
		require.Same(t, second, s.link(protocol.Chrome))
		_, err := s.router.Reserve(protocol.Chrome)
		require.Equal(t, protocol.Conflict, protocol.AsError(err).Code)
	})
}

func TestBrowserIsConnectedFromItsHelloToItsEnd(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		e := peer.Connect(t, s.listener, protocol.Chrome, "token")
		synctest.Wait()
		require.Empty(t, s.router.Links())
		_, resp, err := peer.TryConnect(t, s.listener, protocol.Chrome, "token")
		require.Error(t, err)
		require.Equal(t, http.StatusConflict, resp.StatusCode, "its place is taken before its hello")
		e.Hello(protocol.Chrome)
		synctest.Wait()
		require.Len(t, s.router.Links(), 1)
		e.Leave()
		synctest.Wait()
		require.Empty(t, s.router.Links())
		s.connect(protocol.Chrome)
	})
}

func TestFarewellReachesEveryLink(t *testing.T) {
	farewell := route.Farewell{Code: websocket.StatusPolicyViolation, Reason: "for a test"}
	bubble(t, nil, func(t *testing.T, s *scene) {
		greeted := s.connect(protocol.Chrome)
		silent := peer.Connect(t, s.listener, protocol.Firefox, "token")
		synctest.Wait()
		s.router.Disconnect(farewell)
		for _, e := range []*peer.Extension{greeted, silent} {
			code, reason := e.Closed()
			require.Equal(t, farewell.Code, code)
			require.Equal(t, farewell.Reason, reason)
		}
		synctest.Wait()
		s.connect(protocol.Chrome)
		s.connect(protocol.Firefox)
	})
}

func TestNobodyComesAfterShutdown(t *testing.T) {
	farewell := route.Farewell{Code: websocket.StatusGoingAway, Reason: "shutting down"}
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.held = func() { s.router.Shutdown(farewell) } // after the place was taken
		e := peer.Connect(t, s.listener, protocol.Chrome, "token")
		code, reason := e.Closed()
		require.Equal(t, farewell.Code, code)
		require.Equal(t, farewell.Reason, reason)

		_, resp, err := peer.TryConnect(t, s.listener, protocol.Firefox, "token")
		require.Error(t, err)
		require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
		require.Equal(t, protocol.NotConnected, protocol.AsError(s.router.Free(protocol.Chrome)).Code)
		s.router.Shutdown(farewell)
	})
}
