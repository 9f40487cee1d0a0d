package api_test

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// asks are the commands whose results may be artifacts: a command with %s for a
// path, and the fields that its data have beside the artifact.
var asks = map[string]struct{ command, fields string }{
	"a picture in the answer": {`"action":"screenshot"`, `,"format":"png","width":2,"height":1`},
	"a picture in a file":     {`"action":"screenshot","args":{"path":%q}`, `,"format":"png","width":2,"height":1`},
	"a PDF in a file":         {`"action":"pdf","args":{"path":%q}`, `,"pages":3`},
	"other data":              {`"action":"evaluate","args":{"code":"x"}`, ""},
}

// ask sends that command and returns the file that it names, or would.
func (s *scene) askFor(what string) (answer <-chan answered, path string) {
	path = filepath.Join(s.dir, "made")
	command := asks[what].command
	if strings.Contains(command, "%q") {
		command = fmt.Sprintf(command, path)
	}
	return s.command(command), path
}

// serve answers the daemon's reading of an artifact until it is closed, and
// returns how often it was read.
func serve(t *testing.T, e *peer.Extension, content string) (reads int) {
	t.Helper()
	for {
		c, ok := e.Next().(*protocol.CommandFrame)
		require.True(t, ok)
		if c.Action == "artifact_close" {
			e.Answer(c, "{}")
			return reads
		}
		require.Equal(t, "artifact_read", c.Action)
		offset, length := number(t, c.Args, "offset"), number(t, c.Args, "length")
		require.LessOrEqual(t, length, 1<<20)
		reads++
		part := content[min(offset, len(content)):min(offset+length, len(content))]
		e.Answer(c, `{"base64":"`+base64.StdEncoding.EncodeToString([]byte(part))+`"}`)
	}
}

func number(t *testing.T, args jsontext.Value, name string) int {
	t.Helper()
	v, ok := protocol.Arg(args, name)
	require.True(t, ok)
	n, err := strconv.Atoi(string(v))
	require.NoError(t, err)
	return n
}

func data(what string, bytes any) string {
	return fmt.Sprintf(`{"artifact":"a1","bytes":%v%s}`, bytes, asks[what].fields)
}

func TestArtifactIsReadWholeAndClosed(t *testing.T) {
	const mebi = 1 << 20
	for _, tc := range []struct{ size, reads int }{
		{1000, 1},
		{mebi - 1, 1},
		{mebi, 2}, // whose end is shown by a second read alone
		{mebi + 1, 2},
	} {
		for what := range asks {
			t.Run(fmt.Sprint(what, " of ", tc.size), func(t *testing.T) {
				bubble(t, func(t *testing.T, s *scene) {
					content := `{"value":"` + strings.Repeat("x", tc.size-len(`{"value":""}`)) + `"}`
					chrome := s.chrome()
					answer, path := s.askFor(what)
					chrome.Answer(chrome.Next().(*protocol.CommandFrame), data(what, tc.size))
					require.Equal(t, tc.reads, serve(t, chrome, content))
					a := <-answer
					require.True(t, a.OK, "%.200s", a.body)
					switch what {
					case "other data":
						require.Equal(t, content, string(a.Data))
					case "a picture in the answer":
						require.JSONEq(t, `{"format":"png","width":2,"height":1,"base64":"`+base64.StdEncoding.EncodeToString([]byte(content))+`"}`, string(a.Data))
					default:
						require.JSONEq(t, fmt.Sprintf(`{"path":%q,"bytes":%d%s}`, path, tc.size, asks[what].fields), string(a.Data))
						made, err := os.ReadFile(path)
						require.NoError(t, err)
						require.Equal(t, content, string(made))
					}
				})
			})
		}
	}
}

// An extension may say anything of an artifact. What cannot be so ends that
// command, without a word of it on the disk and with the artifact closed.
func TestArtifactThatIsNotWhatItSays(t *testing.T) {
	const content = `{"value":"0123456789"}`
	for _, tc := range []struct {
		name   string
		bytes  any
		code   protocol.Code
		closed bool // the daemon knows of an artifact that it must close
	}{
		{"fewer bytes", len(content) - 1, protocol.OutcomeUnknown, true},
		{"more bytes", len(content) + 1, protocol.OutcomeUnknown, true},
		{"many more bytes", 10 << 20, protocol.OutcomeUnknown, true},
		{"none", 0, protocol.OutcomeUnknown, true},
		{"none, in another way", "-0", protocol.OutcomeUnknown, true},
		{"fewer than none", -1, protocol.OutcomeUnknown, false},
		{"half a byte", 0.5, protocol.OutcomeUnknown, false},
		{"2^53", 1 << 53, protocol.OutcomeUnknown, true},
		{"more than 2^53", "9007199254740993", protocol.OutcomeUnknown, false},
		{"a number without end", "1e400", protocol.OutcomeUnknown, false},
		{"words", `"many"`, protocol.OutcomeUnknown, false},
	} {
		for what := range asks {
			t.Run(what+": "+tc.name, func(t *testing.T) {
				bubble(t, func(t *testing.T, s *scene) {
					chrome := s.chrome()
					answer, path := s.askFor(what)
					chrome.Answer(chrome.Next().(*protocol.CommandFrame), data(what, tc.bytes))
					if tc.closed {
						serve(t, chrome, content)
					}
					want := tc.code
					if what == "a PDF in a file" && tc.bytes == 1<<53 {
						want = protocol.TooLarge
					}
					requireFailed(t, <-answer, want, protocol.DeliveredUnknown)
					require.NoFileExists(t, path)
					made, err := os.ReadDir(s.dir)
					require.NoError(t, err)
					require.Empty(t, made, "no temporary file either")
				})
			})
		}
	}
}

func TestArtifactOfNothing(t *testing.T) {
	for what := range asks {
		t.Run(what, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				chrome := s.chrome()
				answer, path := s.askFor(what)
				chrome.Answer(chrome.Next().(*protocol.CommandFrame), data(what, 0))
				serve(t, chrome, "")
				requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
				require.NoFileExists(t, path)
			})
		})
	}
}

func TestArtifactThatIsNoData(t *testing.T) {
	for name, content := range map[string]string{
		"no JSON":               `{"value":`,
		"two values":            `{"value":1}{"value":2}`,
		"no UTF-8":              "{\"value\":\"\xff\"}",
		"an array":              `[1]`,
		"without its value":     `{"values":1}`,
		"an artifact once more": `{"artifact":"a2","bytes":5}`,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				chrome := s.chrome()
				answer, _ := s.askFor("other data")
				chrome.Answer(chrome.Command("evaluate"), data("other data", len(content)))
				serve(t, chrome, content)
				requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
			})
		})
	}
}

// Whatever the reading of an artifact fails with, the command itself ran: its
// caller must not be told that nothing was sent.
func TestReadingThatFailsIsUnknown(t *testing.T) {
	for _, code := range []protocol.Code{protocol.Busy, protocol.NotFound, protocol.NotConnected, protocol.OutcomeUnknown} {
		for what := range asks {
			t.Run(what+": "+string(code), func(t *testing.T) {
				bubble(t, func(t *testing.T, s *scene) {
					chrome := s.chrome()
					answer, path := s.askFor(what)
					chrome.Answer(chrome.Next().(*protocol.CommandFrame), data(what, 5))
					chrome.Fail(chrome.Command("artifact_read"), code, "because")
					chrome.Answer(chrome.Command("artifact_close"), "{}")
					a := <-answer
					requireFailed(t, a, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
					require.Contains(t, a.Error.Message, "because")
					require.NoFileExists(t, path)
				})
			})
		}
	}
}

func TestReadingEndsWithTheCommandsTime(t *testing.T) {
	for _, end := range []string{"the deadline", "the link"} {
		for what := range asks {
			t.Run(what+": "+end, func(t *testing.T) {
				bubble(t, func(t *testing.T, s *scene) {
					chrome := s.chrome()
					began := time.Now()
					answer, path := s.askFor(what)
					chrome.Answer(chrome.Next().(*protocol.CommandFrame), data(what, 5))
					f := chrome.Command("artifact_read")
					require.Equal(t, int64(30_000), f.DeadlineMS)
					if end == "the link" {
						chrome.Leave()
					}
					requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
					if end == "the deadline" {
						require.Equal(t, 30*time.Second, time.Since(began))
					}
					require.NoFileExists(t, path)
				})
			})
		}
	}
}

func TestPieceThatIsNone(t *testing.T) {
	for name, piece := range map[string]string{
		"no base64":               `{"base64":"$"}`,
		"half a character":        `{"base64":"\ud800"}`,
		"more than was asked for": `{"base64":"` + base64.StdEncoding.EncodeToString(make([]byte, 1<<20+1)) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				chrome := s.chrome()
				answer, _ := s.askFor("a picture in the answer")
				chrome.Answer(chrome.Command("screenshot"), data("a picture in the answer", 5<<20))
				chrome.Answer(chrome.Command("artifact_read"), piece)
				chrome.Answer(chrome.Command("artifact_close"), "{}")
				requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
			})
		})
	}
}
