package api_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestCommandAndItsAnswer(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		answer := s.command(`"action":"evaluate","id":"mine","session":"shop","args":{"code":"1 <2"},"timeout_ms":2000`)
		f := chrome.Command("evaluate")
		require.Equal(t, "shop", f.Session)
		require.Equal(t, `{"code":"1 <2"}`, string(f.Args), "byte for byte")
		require.Equal(t, int64(2000), f.DeadlineMS)
		require.NotEqual(t, "mine", f.ID, "the daemon has ids of its own on the link")
		require.Equal(t, map[string]string{"shop": "chrome"}, s.status().Sessions)
		chrome.Answer(f, `{"value":"\ud800 <&>"}`)
		a := <-answer
		require.Equal(t, 200, a.status)
		require.Equal(t, `{"id":"mine","ok":true,"data":{"value":"\ud800 <&>"}}`, string(a.body), "byte for byte")
		require.Equal(t, "application/json", a.header.Get("Content-Type"))
	})
}

// The binding is saved before the frame goes out (ROUTE-05), and the session's
// order holds meanwhile (CMD-06).
func TestOrderWhileABindingIsSaved(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		saved := false
		s.save = func(map[string]protocol.Browser) error {
			time.Sleep(time.Second)
			saved = true
			return nil
		}
		chrome := s.chrome()
		first := s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`)
		synctest.Wait()
		second := s.command(`"action":"tabs","session":"shop"`) // binds nothing, so that it need not wait
		synctest.Wait()
		began := time.Now()
		f := chrome.Command("click")
		require.True(t, saved)
		require.Equal(t, time.Second, time.Since(began))
		chrome.Answer(f, "{}")
		chrome.Answer(chrome.Command("tabs"), `{"tabs":[]}`)
		require.True(t, (<-first).OK)
		require.True(t, (<-second).OK)
	})
}

func TestCommandWhoseBindingCannotBeSaved(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.save = func(map[string]protocol.Browser) error { return errors.New("full") }
		chrome := s.chrome()
		requireFailed(t, <-s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`), protocol.FileError, protocol.DeliveredNo)
		require.Empty(t, s.status().Sessions)
		s.save = nil
		answer := s.command(`"action":"click","session":"shop","args":{"ref":"e2"}`)
		f := chrome.Command("click")
		require.JSONEq(t, `{"ref":"e2"}`, string(f.Args), "the first has not been sent")
		chrome.Answer(f, "{}")
		require.True(t, (<-answer).OK)
	})
}

func TestCommandThatExpiresWhileItsBindingIsSavedIsNotSent(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.save = func(map[string]protocol.Browser) error {
			time.Sleep(time.Second)
			return nil
		}
		chrome := s.chrome()
		late := s.command(`"action":"click","session":"shop","args":{"ref":"e1"},"timeout_ms":500`)
		synctest.Wait()
		next := s.command(`"action":"click","session":"shop","args":{"ref":"e2"}`)
		requireFailed(t, <-late, protocol.OutcomeUnknown, protocol.DeliveredNo)
		f := chrome.Command("click")
		require.JSONEq(t, `{"ref":"e2"}`, string(f.Args))
		chrome.Answer(f, "{}")
		require.True(t, (<-next).OK)
	})
}

func TestPendingIDIsRefused(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		const fields = `"action":"click","id":"x","args":{"ref":"e1"}`
		first := s.command(fields)
		f := chrome.Command("click")
		again := <-s.command(fields)
		requireRefused(t, again, protocol.Conflict)
		require.Equal(t, "x", again.ID)
		other := s.command(fields + `,"session":"other"`)
		chrome.Answer(chrome.Command("click"), "{}")
		require.True(t, (<-other).OK, "an id is of its session")
		chrome.Answer(f, "{}")
		require.True(t, (<-first).OK, "the first goes on")
		third := s.command(fields)
		chrome.Answer(chrome.Command("click"), "{}")
		require.True(t, (<-third).OK, "an id may come again when it is not pending")
	})
}

// What a browser answers is no refusal of the gate, whatever its code: its
// status is 200, so that nobody sends it again because of that.
func TestBrowsersErrorHasTheStatusOfAnAnswer(t *testing.T) {
	for _, code := range protocol.Codes {
		t.Run(string(code), func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				chrome := s.chrome()
				a := s.command(`"action":"click","id":"x","args":{"ref":"e1"}`)
				chrome.Fail(chrome.Command("click"), code, "because")
				var delivered protocol.Delivered
				if code == protocol.OutcomeUnknown {
					delivered = protocol.DeliveredUnknown
				}
				got := <-a
				requireFailed(t, got, code, delivered)
				require.Equal(t, "because", got.Error.Message)
				require.Equal(t, "x", got.ID)
			})
		})
	}
}

func TestCommandWithoutItsBrowser(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		requireFailed(t, <-s.command(`"action":"click","args":{"ref":"e1"}`), protocol.NotConnected, protocol.DeliveredNo)
		requireFailed(t, <-s.command(`"action":"close_session"`), protocol.NotConnected, protocol.DeliveredNo)
	})
}

func TestCloseSession(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		a := <-s.command(`"action":"close_session","session":"shop"`)
		require.JSONEq(t, `{"closed":[],"released":[]}`, string(a.Data), "of a session that nobody has, without asking the browser")

		click := s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`)
		chrome.Answer(chrome.Command("click"), "{}")
		<-click
		failing := s.command(`"action":"close_session","session":"shop"`)
		chrome.Fail(chrome.Command("close_session"), protocol.Internal, "no")
		require.False(t, (<-failing).OK)
		require.Contains(t, s.status().Sessions, "shop", "a close that failed keeps the binding")
		closing := s.command(`"action":"close_session","session":"shop"`)
		chrome.Answer(chrome.Command("close_session"), `{"closed":[7],"released":[]}`)
		require.JSONEq(t, `{"closed":[7],"released":[]}`, string((<-closing).Data))
		require.Empty(t, s.status().Sessions)
	})
}

// The answers to a close_session and to the command behind it may come at once.
func TestSessionThatBeginsAnewBehindItsCloseStaysBound(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		first := s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`)
		chrome.Answer(chrome.Command("click"), "{}")
		<-first
		closing := s.command(`"action":"close_session","session":"shop"`)
		end := chrome.Command("close_session")
		again := s.command(`"action":"click","session":"shop","args":{"ref":"e2"}`)
		click := chrome.Command("click")
		chrome.Answer(click, "{}")
		chrome.Answer(end, `{"closed":[],"released":[]}`)
		require.True(t, (<-closing).OK)
		require.True(t, (<-again).OK)
		require.Equal(t, map[string]string{"shop": "chrome"}, s.status().Sessions)
	})
}

func TestLinkThatEndsAnswersAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		sent := s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`)
		chrome.Command("click")
		began := time.Now()
		chrome.Leave()
		requireFailed(t, <-sent, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
		require.Zero(t, time.Since(began))
	})
}

func TestAnswerOfOneMessage(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		a := s.command(`"action":"evaluate","args":{"code":"x"}`)
		value := `{"value":"` + strings.Repeat("x", 5<<20) + `"}`
		chrome.Answer(chrome.Command("evaluate"), value)
		require.Equal(t, value, string((<-a).Data), "more than 4 MiB in one message is taken all the same")
	})
}
