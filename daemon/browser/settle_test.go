package browser_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestFirstResultCounts(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		c := s.send("evaluate", "shop")
		f := s.ext.Command("evaluate")
		s.ext.Answer(f, `{"value":"first"}`)
		s.ext.Answer(f, `{"value":"second"}`)
		s.ext.Fail(f, protocol.NoTab, "third")
		synctest.Wait()
		data, err := c.Wait()
		require.Nil(t, err)
		require.JSONEq(t, `{"value":"first"}`, string(data))
		require.Equal(t, int64(len(`{"value":"first"}`)), s.buffer.Held())
		c.Free()
		c.Free()
		require.Zero(t, s.buffer.Held(), "room is given back once")
	})
}

func TestWhatAnExtensionAnswers(t *testing.T) {
	for _, tc := range []struct {
		name, result string // the result behind its id
		code         protocol.Code
		delivered    protocol.Delivered
		message      string
	}{
		{"a definite error", `"ok":false,"error":{"code":"tab_gone","message":"closed","delivered":"no"}`, protocol.TabGone, "", "closed"},
		{"that it does not know", `"ok":false,"error":{"code":"outcome_unknown","message":"lost","delivered":"no"}`, protocol.OutcomeUnknown, protocol.DeliveredUnknown, "lost"},
		{"a code that is none", `"ok":false,"error":{"code":"?","message":"x"}`, protocol.OutcomeUnknown, protocol.DeliveredUnknown, "closed list"},
		{"no data", `"ok":true`, protocol.OutcomeUnknown, protocol.DeliveredUnknown, `"data" is missing`},
		{"data and an error", `"ok":true,"data":{"value":1},"error":{"code":"busy","message":"x"}`, protocol.OutcomeUnknown, protocol.DeliveredUnknown, `"error"`},
		{"data that break the schema", `"ok":true,"data":{"values":1}`, protocol.OutcomeUnknown, protocol.DeliveredUnknown, "data.value is missing"},
		{"data that nest too deep", `"ok":true,"data":` + strings.Repeat(`{"a":`, 10_001) + "1" + strings.Repeat("}", 10_001), protocol.OutcomeUnknown, protocol.DeliveredUnknown, "nests deeper"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				c, other := s.send("evaluate", "shop"), s.send("evaluate", "mail")
				f, g := s.ext.Command("evaluate"), s.ext.Command("evaluate")
				s.ext.Say(`{"type":"result","id":"` + f.ID + `",` + tc.result + "}")
				synctest.Wait()
				err := s.settled(c)
				require.Equal(t, tc.code, err.Code)
				require.Equal(t, tc.delivered, err.Delivered)
				require.Contains(t, err.Message, tc.message)
				require.Zero(t, s.buffer.Held())
				require.False(t, other.Over(), "it is the end of that command alone")
				s.ext.Answer(g, `{"value":1}`)
				synctest.Wait()
				require.Nil(t, s.settled(other))
				other.Free()
			})
		})
	}
}

// What a page holds may stand in an error for the agent, and never in the log.
func TestLogHoldsNothingOfThePage(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		c := s.send("screenshot", "shop")
		s.ext.Answer(s.ext.Command("screenshot"), `{"base64":"","width":1,"height":1,"format":"my password"}`)
		err := s.settled(waited(c))
		require.Contains(t, err.Message, "my password")
		require.Contains(t, s.log.String(), "breaks its schema")
		require.NotContains(t, s.log.String(), "my password")
	})
}

// waited returns c when everything that may settle it was done.
func waited(c *browser.Call) *browser.Call {
	synctest.Wait()
	return c
}

func TestDeadlineSettles(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.hello()
		c := s.send("click", "shop")
		f := s.ext.Command("click")
		require.Equal(t, int64(30_000), f.DeadlineMS)
		time.Sleep(due - time.Nanosecond)
		synctest.Wait()
		require.False(t, c.Over())
		time.Sleep(time.Nanosecond)
		err := s.settled(waited(c))
		require.Equal(t, protocol.OutcomeUnknown, err.Code)
		require.Equal(t, protocol.DeliveredUnknown, err.Delivered)
		s.ext.Answer(f, "{}")
		synctest.Wait()
		_, again := c.Wait()
		require.Equal(t, err, again, "a late result changes nothing")
	})
}

func TestCommandWithLessThanAMillisecondIsNotSent(t *testing.T) {
	for _, tc := range []struct {
		name string
		left time.Duration
		sent bool
	}{
		{"a millisecond", time.Millisecond, true},
		{"a nanosecond less", time.Millisecond - time.Nanosecond, false},
		{"nothing", 0, false},
		{"less than nothing", -time.Second, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				c, err := s.tryAdmit("click", "shop", tc.left)
				require.NoError(t, err)
				c.Send([]byte("{}"))
				probe := s.send("hover", "shop")
				if tc.sent {
					require.Equal(t, int64(1), s.ext.Command("click").DeadlineMS)
				}
				s.ext.Answer(s.ext.Command("hover"), "{}")
				require.Nil(t, s.settled(waited(probe)))
				probe.Free()
				time.Sleep(time.Millisecond)
				failed := s.settled(waited(c))
				require.Equal(t, protocol.OutcomeUnknown, failed.Code)
				require.Equal(t, tc.sent, failed.Delivered == protocol.DeliveredUnknown)
			})
		})
	}
}

func TestEndOfALinkSettlesAll(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(s *scene)
	}{
		{"the connection ends", func(s *scene) { s.ext.Leave() }},
		{"the extension closes", func(s *scene) { _, _ = s.ext.Wire.Write(frame(opClose, true, []byte{3, 233})) }},
		{"the daemon closes", func(s *scene) { s.link.Close(1001, "away") }},
		{"it says nonsense", func(s *scene) { s.ext.Say("nonsense") }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				sent := s.send("click", "shop")
				s.ext.Command("click")
				reserved := s.send("dialog", "shop")
				s.ext.Command("dialog")
				unsent := s.admit("click", "shop")
				go func() { s.ext.Closed() }()
				tc.end(s)
				synctest.Wait()
				for c, delivered := range map[*browser.Call]protocol.Delivered{
					sent: protocol.DeliveredUnknown, reserved: protocol.DeliveredUnknown, unsent: protocol.DeliveredNo,
				} {
					err := s.settled(c)
					require.Equal(t, protocol.OutcomeUnknown, err.Code)
					require.Equal(t, delivered, err.Delivered)
				}
				unsent.Send([]byte("{}")) // too late, and to no effect
				require.Equal(t, protocol.DeliveredNo, s.settled(unsent).Delivered)
				require.Equal(t, int64(1), s.ended.Load())
			})
		})
	}
}

func TestNotifiedCommandHoldsItsSlotUntilItsAnswer(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer func(s *scene, f *protocol.CommandFrame)
	}{
		{"a result", func(s *scene, f *protocol.CommandFrame) { s.ext.Answer(f, "{}") }},
		{"an error", func(s *scene, f *protocol.CommandFrame) { s.ext.Fail(f, protocol.NotFound, "gone") }},
		{"none", func(*scene, *protocol.CommandFrame) { time.Sleep(due) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				s.admit("artifact_close", "shop").Notify([]byte(`{"artifact":"a"}`))
				f := s.ext.Command("artifact_close")
				synctest.Wait()
				_, reserved := s.link.Use()
				require.Equal(t, 1, reserved)
				tc.answer(s, f)
				synctest.Wait()
				_, reserved = s.link.Use()
				require.Zero(t, reserved)
				require.Zero(t, s.buffer.Held(), "nobody will give back what nobody reads")
			})
		})
	}
}
