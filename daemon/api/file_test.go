package api_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// A picture that travels in its message.
func TestPictureThatIsNone(t *testing.T) {
	for name, bytes := range map[string]string{
		"nothing":            `"base64":""`,
		"no base64":          `"base64":"$$$$"`,
		"base64 cut short":   `"base64":"QUJD QQ"`,
		"base64 and no end":  `"base64":"QUI"`,
		"half a character":   `"base64":"\ud800"`,
		"an id that is none": `"artifact":"\ud800","bytes":5`,
	} {
		for _, what := range []string{"a picture in a file", "a PDF in a file"} {
			t.Run(what+": "+name, func(t *testing.T) {
				bubble(t, func(t *testing.T, s *scene) {
					chrome := s.chrome()
					answer, _ := s.askFor(what)
					chrome.Answer(chrome.Next().(*protocol.CommandFrame), "{"+bytes+asks[what].fields+"}")
					requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
					made, err := os.ReadDir(s.dir)
					require.NoError(t, err)
					require.Empty(t, made)
				})
			})
		}
	}
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		answer, _ := s.askFor("a picture in the answer")
		chrome.Answer(chrome.Command("screenshot"), `{"artifact":"\ud800","bytes":5,"format":"png","width":1,"height":1}`)
		requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
	})
}

// A file takes no room: it is written as it comes.
func TestFileTakesNoRoom(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		answer, _ := s.askFor("a picture in a file")
		chrome.Answer(chrome.Command("screenshot"), data("a picture in a file", 1<<40))
		f := chrome.Command("artifact_read")
		require.Less(t, s.status().Buffered, int64(1000))
		chrome.Leave()
		_ = f
		requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
	})
}

func TestPDFAtItsLimit(t *testing.T) {
	const most = 100 << 20
	for _, tc := range []struct {
		bytes int
		code  protocol.Code
	}{{most, protocol.OutcomeUnknown}, {most + 1, protocol.TooLarge}} {
		t.Run(strconv.Itoa(tc.bytes), func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				chrome := s.chrome()
				answer, path := s.askFor("a PDF in a file")
				chrome.Answer(chrome.Command("pdf"), data("a PDF in a file", tc.bytes))
				serve(t, chrome, "it ends too early")
				requireFailed(t, <-answer, tc.code, protocol.DeliveredUnknown)
				require.NoFileExists(t, path)
			})
		})
	}
}

func TestPathIsForTheDaemonAlone(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.chrome()
		path := filepath.Join(s.dir, "made.png")
		answer := s.command(fmt.Sprintf(`"action":"screenshot","args":{"format":"png","path":%q,"full_page":true}`, path))
		f := chrome.Command("screenshot")
		require.Equal(t, `{"format":"png","full_page":true}`, string(f.Args))
		chrome.Answer(f, `{"format":"png","base64":"QUJD","width":2,"height":1}`)
		a := <-answer
		require.Equal(t, fmt.Sprintf(`{"format":"png","width":2,"height":1,"path":%q,"bytes":3}`, path), string(a.Data))
		made, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, "ABC", string(made))

		again := <-s.command(fmt.Sprintf(`"action":"screenshot","args":{"path":%q}`, path))
		requireFailed(t, again, protocol.FileExists, protocol.DeliveredNo)
	})
}

func TestFileThatComesToStandThereMeanwhile(t *testing.T) {
	for _, when := range []string{"while the picture is made", "while the picture is read"} {
		t.Run(when, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				chrome := s.chrome()
				answer, path := s.askFor("a picture in a file")
				f := chrome.Command("screenshot")
				mine := func() { require.NoError(t, os.WriteFile(path, []byte("mine"), 0o600)) }
				if when == "while the picture is made" {
					mine()
					chrome.Answer(f, `{"base64":"QUJD","format":"png","width":2,"height":1}`)
				} else {
					chrome.Answer(f, data("a picture in a file", 3))
					part := chrome.Command("artifact_read")
					mine()
					chrome.Answer(part, `{"base64":"QUJD"}`)
					chrome.Answer(chrome.Command("artifact_close"), "{}")
				}
				requireFailed(t, <-answer, protocol.FileExists, protocol.DeliveredUnknown)
				made, err := os.ReadFile(path)
				require.NoError(t, err)
				require.Equal(t, "mine", string(made))
				entries, err := os.ReadDir(s.dir)
				require.NoError(t, err)
				require.Len(t, entries, 1)
			})
		})
	}
}
