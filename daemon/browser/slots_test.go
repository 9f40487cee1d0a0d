package browser_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestSlotsOfABrowser(t *testing.T) {
	limits := protocol.DefaultLimits()
	for _, tc := range []struct {
		action string
		most   int
		other  string // an action whose slots are others
	}{
		{"click", limits.Commands, "dialog"},
		{"dialog", limits.Reserve, "click"},
		{"close_session", limits.Reserve, "click"},
		{"artifact_close", limits.Reserve, "click"},
	} {
		t.Run(tc.action, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				var calls []*browser.Call
				for range tc.most {
					calls = append(calls, s.admit(tc.action, "shop"))
				}
				_, err := s.tryAdmit(tc.action, "shop", due)
				refusal := protocol.AsError(err)
				require.Equal(t, protocol.Busy, refusal.Code)
				require.Equal(t, protocol.DeliveredNo, refusal.Delivered)
				calls = append(calls, s.admit(tc.other, "shop"), s.admit("artifact_read", "shop"))

				calls[0].Drop()
				calls[0].Drop() // a slot is given back once
				calls = append(calls, s.admit(tc.action, "shop"))
				_, err = s.tryAdmit(tc.action, "shop", due)
				require.Error(t, err)
				for _, c := range calls {
					c.Drop()
				}
			})
		})
	}
}

func TestReadingAnArtifactTakesNoSlot(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		for range 2 * protocol.DefaultLimits().Commands {
			s.admit("artifact_read", "shop")
		}
		ordinary, reserved := s.link.Use()
		require.Zero(t, ordinary+reserved)
	})
}

// A slot is held until the command is settled, whatever settles it, and once.
func TestSlotIsFreed(t *testing.T) {
	for _, tc := range []struct {
		name   string
		settle func(s *scene, f *protocol.CommandFrame)
	}{
		{"by its result", func(s *scene, f *protocol.CommandFrame) { s.ext.Answer(f, "{}") }},
		{"by a result that breaks its schema", func(s *scene, f *protocol.CommandFrame) {
			s.ext.Say(`{"type":"result","id":"` + f.ID + `","ok":1}`)
		}},
		{"by two results", func(s *scene, f *protocol.CommandFrame) {
			s.ext.Answer(f, "{}")
			s.ext.Answer(f, "{}")
		}},
		{"by its error", func(s *scene, f *protocol.CommandFrame) { s.ext.Fail(f, protocol.NoTab, "none") }},
		{"by its deadline, before a late result", func(s *scene, f *protocol.CommandFrame) {
			time.Sleep(due)
			s.ext.Answer(f, "{}")
		}},
		{"by the end of the link", func(s *scene, _ *protocol.CommandFrame) { s.ext.Leave() }},
		{"by Close, after which it expires", func(s *scene, _ *protocol.CommandFrame) {
			s.link.Close(1001, "away")
			time.Sleep(2 * time.Minute)
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				c := s.send("click", "shop")
				f := s.ext.Command("click")
				ordinary, _ := s.link.Use()
				require.Equal(t, 1, ordinary)
				tc.settle(s, f)
				synctest.Wait()
				require.True(t, c.Over())
				c.Free()
				ordinary, _ = s.link.Use()
				require.Zero(t, ordinary)
			})
		})
	}
}

func TestLinkThatEndedTakesNoCommand(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		s.ext.Leave()
		<-s.done
		_, err := s.tryAdmit("click", "shop", due)
		require.Equal(t, protocol.NotConnected, protocol.AsError(err).Code)
		require.Equal(t, protocol.DeliveredNo, protocol.AsError(err).Delivered)
	})
}
