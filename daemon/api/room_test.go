package api_test

import (
	"encoding/base64"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// An answered artifact counts with its bytes (LIMIT-08), beside the data that
// name it, and is closed though it was not read.
func TestArtifactForWhichThereIsNoRoom(t *testing.T) {
	const most = 64 << 20
	for _, what := range []string{"a picture in the answer", "other data"} {
		t.Run(what, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				named := data(what, most)
				chrome := s.chrome()
				for _, room := range []struct {
					bytes int
					reads bool
				}{{most - len(named), true}, {most - len(named) + 1, false}} {
					answer, _ := s.askFor(what)
					chrome.Answer(chrome.Next().(*protocol.CommandFrame), data(what, room.bytes))
					if room.reads {
						// That it is read is enough: its pieces find no room beside it.
						chrome.Answer(chrome.Command("artifact_read"), `{"base64":"QUJD"}`)
					}
					chrome.Answer(chrome.Command("artifact_close"), "{}")
					requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
				}
			})
		})
	}
}

// An artifact_close that nobody answers holds one of the 16 reserved slots. Where
// none is free the artifact is left to its deadline, and the command is answered.
func TestReservedSlotsOfArtifactsThatAreClosed(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		const content = `{"value":1}`
		var unanswered []*protocol.CommandFrame
		once := func() {
			answer, _ := s.askFor("other data")
			chrome.Answer(chrome.Command("evaluate"), data("other data", len(content)))
			chrome.Answer(chrome.Command("artifact_read"), `{"base64":"`+base64.StdEncoding.EncodeToString([]byte(content))+`"}`)
			if len(unanswered) < s.limits.Reserve {
				unanswered = append(unanswered, chrome.Command("artifact_close"))
			}
			require.True(t, (<-answer).OK)
		}
		for range s.limits.Reserve + 1 {
			once()
		}
		require.Equal(t, s.limits.Reserve, s.status().Browsers["chrome"].Reserved)
		require.Equal(t, protocol.Busy, (<-s.command(`"action":"dialog","args":{"accept":true}`)).Error.Code)
		chrome.Answer(unanswered[0], "{}")
		synctest.Wait()
		unanswered = unanswered[1:]
		once()
		time.Sleep(30 * time.Second)
		synctest.Wait()
		require.Zero(t, s.status().Browsers["chrome"].Reserved, "at their deadlines at the latest")
	})
}
