package api_test

import (
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// file makes a file of that many bytes and returns its path.
func (s *scene) file(name string, size int) string {
	s.t.Helper()
	path := filepath.Join(s.dir, name)
	require.NoError(s.t, os.WriteFile(path, make([]byte, size), 0o600))
	return path
}

func upload(session, path string) string {
	return fmt.Sprintf(`"action":"upload","session":%q,"args":{"selector":"#f","files":[%q]}`, session, path)
}

func TestFilesOfAnUpload(t *testing.T) {
	for _, tc := range []struct {
		name   string
		hello  string
		origin protocol.Browser
		bytes  bool
	}{
		{"Firefox", `{"type":"hello","browser":"firefox","browser_version":"1","sessions":[],"file_access":true}`, protocol.Firefox, true},
		{"Chrome that may open files", `{"type":"hello","browser":"chrome","browser_version":"1","sessions":[],"file_access":true}`, protocol.Chrome, false},
		{"Chrome that may not", `{"type":"hello","browser":"chrome","browser_version":"1","sessions":[],"file_access":false}`, protocol.Chrome, true},
		{"Chrome that does not say", `{"type":"hello","browser":"chrome","browser_version":"1","sessions":[]}`, protocol.Chrome, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				e := peer.Connect(t, s.listener, tc.origin, token)
				e.Say(tc.hello)
				require.IsType(t, &protocol.Welcome{}, e.Next())
				path := s.file("cv.pdf", 3)
				answer := s.command(upload("shop", path))
				f := e.Command("upload")
				files := fmt.Sprintf("[%q]", path)
				if tc.bytes {
					files = `[{"name":"cv.pdf","base64":"` + base64.StdEncoding.EncodeToString(make([]byte, 3)) + `"}]`
				}
				require.Equal(t, `{"selector":"#f","files":`+files+`}`, string(f.Args))
				e.Answer(f, `{"names":["cv.pdf"]}`)
				require.True(t, (<-answer).OK)
			})
		})
	}
}

func TestFileThatIsNotThereTouchesNoPage(t *testing.T) {
	for _, b := range protocol.Browsers {
		t.Run(string(b), func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				e := s.connect(b)
				requireFailed(t, <-s.command(upload("shop", filepath.Join(s.dir, "none"))), protocol.FileError, protocol.DeliveredNo)
				require.Empty(t, s.status().Sessions, "and binds nothing")
				next := s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`)
				e.Answer(e.Command("click"), "{}")
				require.True(t, (<-next).OK)
			})
		})
	}
}

// The bytes of an upload count until its command is settled, here by its
// deadline, and both browsers share their room (LIMIT-15).
func TestBytesOfUploadsAreGivenBack(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		const mebi = 1 << 20
		chrome, fox := s.chrome(), s.connect(protocol.Firefox)
		go func() { _, _ = io.Copy(io.Discard, fox.Wire) }()
		large, rest := s.file("large", 16*mebi), s.file("rest", 16*mebi-1)
		one, two := s.file("one", 1), s.file("two", 2)
		var answers []<-chan answered
		for i, path := range []string{large, large, large, rest} {
			answers = append(answers, s.command(upload(fmt.Sprint(i), path)+`,"browser":"firefox"`))
		}
		synctest.Wait()
		requireFailed(t, <-s.command(upload("chrome", two)+`,"browser":"chrome"`), protocol.Busy, protocol.DeliveredNo)
		fits := s.command(upload("chrome", one) + `,"browser":"chrome"`)
		chrome.Answer(chrome.Command("upload"), `{"names":["one"]}`)
		require.True(t, (<-fits).OK)
		for _, a := range answers {
			requireFailed(t, <-a, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
		}
		fits = s.command(upload("chrome", two) + `,"browser":"chrome"`)
		chrome.Answer(chrome.Command("upload"), `{"names":["two"]}`)
		require.True(t, (<-fits).OK)
	})
}

// While its browser takes no more an upload is settled all the same.
func TestUploadToABrowserThatStalls(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		fox := s.connect(protocol.Firefox)
		answer := s.command(upload("shop", s.file("large", 8<<20)) + `,"timeout_ms":1000`)
		_, err := fox.Wire.Read(make([]byte, 100_000))
		require.NoError(t, err)
		requireFailed(t, <-answer, protocol.OutcomeUnknown, protocol.DeliveredUnknown)
		behind := s.command(`"action":"click","session":"other","args":{"ref":"e1"},"timeout_ms":1000`)
		requireFailed(t, <-behind, protocol.OutcomeUnknown, protocol.DeliveredNo)
	})
}

func TestUploadOfManyFiles(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.connect(protocol.Firefox)
		var paths []string
		for i := range 17 {
			paths = append(paths, fmt.Sprintf("%q", s.file(fmt.Sprint(i), 1<<20)))
		}
		a := <-s.command(`"action":"upload","args":{"selector":"#f","files":[` + strings.Join(paths, ",") + `]}`)
		requireFailed(t, a, protocol.TooLarge, protocol.DeliveredNo)
	})
}
