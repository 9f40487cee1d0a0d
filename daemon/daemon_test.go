package daemon_test

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const click = `{"action":"click","args":{"ref":"e1"}}`

// Whatever its peers are doing, the daemon ends in less than 5 s, and nothing of
// it is left: no goroutine, no lock, no half-written file.
func TestShutdownInEveryState(t *testing.T) {
	for name, set := range map[string]func(t *testing.T, s *scene){
		"nobody is there":                func(*testing.T, *scene) {},
		"a connection that says nothing": func(_ *testing.T, s *scene) { s.dial("") },
		"half a header":                  func(_ *testing.T, s *scene) { s.dial("GET /ping HT") },
		"a connection between requests": func(t *testing.T, s *scene) {
			c := s.dial("GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
			_, err := c.Read(make([]byte, 4096))
			require.NoError(t, err)
		},
		"half a body":                   func(_ *testing.T, s *scene) { s.dial(s.post("/command", click, 10)) },
		"the beginning of a large body": func(_ *testing.T, s *scene) { s.dial(s.post("/command", click, 1<<20)) },
		"half a refusal":                func(_ *testing.T, s *scene) { s.dial(s.post("/nothing", click, 10)) },
		"half a chunked one": func(_ *testing.T, s *scene) {
			s.dial("POST /nothing HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nx")
		},
		"half a guess": func(_ *testing.T, s *scene) {
			s.dial("POST /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + peer.ChromeOrigin + "\r\nContent-Length: 17\r\n\r\n{")
		},
		"half a preflight": func(_ *testing.T, s *scene) {
			s.dial("OPTIONS /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + peer.ChromeOrigin +
				"\r\nAccess-Control-Request-Method: POST\r\nContent-Length: 17\r\n\r\n{")
		},
		"an answer that nobody reads": func(_ *testing.T, s *scene) { s.dial("GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") },
		"a large answer that nobody reads on": func(t *testing.T, s *scene) {
			chrome := connect(t, s, protocol.Chrome)
			c := s.dial(s.post("/command", `{"action":"evaluate","args":{"code":"x"}}`, 0))
			chrome.Answer(chrome.Command("evaluate"), `{"value":"`+strings.Repeat("x", 1<<20)+`"}`)
			_, err := io.ReadFull(c, make([]byte, 100_000))
			require.NoError(t, err)
			go chrome.Closed()
		},
		"an upgrade whose answer nobody reads": func(_ *testing.T, s *scene) {
			s.dial("GET /extension HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + peer.ChromeOrigin +
				"\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
				"Sec-WebSocket-Protocol: omw.v1, omw-token." + s.token + "\r\n\r\n")
		},
		"a link without hello": func(t *testing.T, s *scene) { go peer.Connect(t, s.listener, protocol.Chrome, s.token).Closed() },
		"a link":               func(t *testing.T, s *scene) { go connect(t, s, protocol.Chrome).Closed() },
		"a link that reads nothing": func(t *testing.T, s *scene) {
			connect(t, s, protocol.Chrome)
			peer.Connect(t, s.listener, protocol.Firefox, s.token)
		},
		"a link that answers no close": func(t *testing.T, s *scene) {
			chrome := connect(t, s, protocol.Chrome)
			go func() { _, _ = io.Copy(io.Discard, chrome.Wire) }()
		},
		"a link that stalls in a large frame": func(t *testing.T, s *scene) {
			fox := connect(t, s, protocol.Firefox)
			path := filepath.Join(t.TempDir(), "large")
			require.NoError(t, os.WriteFile(path, make([]byte, 1<<20), 0o600))
			s.command(`{"action":"upload","args":{"selector":"#f","files":["` + path + `"]}}`)
			_, err := io.ReadFull(fox.Wire, make([]byte, 100_000))
			require.NoError(t, err)
		},
		"two links with commands in flight": func(t *testing.T, s *scene) {
			for _, b := range protocol.Browsers {
				e := connect(t, s, b)
				s.command(`{"action":"click","session":"` + string(b) + `","browser":"` + string(b) + `","args":{"ref":"e1"}}`)
				e.Command("click")
				s.command(`{"action":"close_session","session":"` + string(b) + `"}`)
				e.Command("close_session")
				go e.Closed()
			}
		},
		"a request of one browser to the other": func(t *testing.T, s *scene) {
			chrome, fox := connect(t, s, protocol.Chrome), connect(t, s, protocol.Firefox)
			fox.Say(`{"type":"request","action":"click","browser":"chrome","args":{"ref":"e1"},"timeout_ms":120000}`)
			chrome.Command("click")
		},
		"an artifact that is being read": func(t *testing.T, s *scene) {
			chrome := connect(t, s, protocol.Chrome)
			dir := t.TempDir()
			s.command(`{"action":"pdf","args":{"path":"` + dir + `/large.pdf"}}`)
			chrome.Answer(chrome.Command("pdf"), `{"artifact":"a1","bytes":5000000,"pages":1}`)
			chrome.Command("artifact_read")
			t.Cleanup(func() {
				left, err := os.ReadDir(dir)
				require.NoError(t, err)
				require.Empty(t, left)
			})
		},
		"many connections": func(_ *testing.T, s *scene) {
			for range 300 {
				s.dial(s.post("/command", click, 10))
				s.dial("")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				set(t, s)
				synctest.Wait()
				require.Less(t, s.shutdown(), 5*time.Second)
				_, err := s.listener.Dial(context.Background())
				require.ErrorIs(t, err, net.ErrClosed)
				s.serve() // the directory is free
				require.Less(t, s.shutdown(), time.Second)
			})
		})
	}
}

func connect(t *testing.T, s *scene, b protocol.Browser) *peer.Extension {
	t.Helper()
	e := peer.Connect(t, s.listener, b, s.token)
	e.Hello(b)
	synctest.Wait()
	return e
}

func TestShutdownAnswersWhoWaits(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := connect(t, s, protocol.Chrome)
		waiting := s.command(click)
		chrome.Command("click")
		s.end()
		answer := <-waiting
		require.Contains(t, answer, `"outcome_unknown"`)
		require.Contains(t, answer, `"delivered":"unknown"`)
		code, reason := chrome.Closed()
		require.Equal(t, websocket.StatusGoingAway, code)
		require.Equal(t, "omw is shutting down", reason)
		require.NoError(t, <-s.served)
	})
}

func TestBindingsOutliveTheDaemon(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		fox := connect(t, s, protocol.Firefox)
		answer := s.command(`{"action":"click","session":"shop","args":{"ref":"e1"}}`)
		fox.Answer(fox.Command("click"), "{}")
		require.Contains(t, <-answer, `"ok":true`)
		go fox.Closed()
		s.shutdown()
		s.serve()
		chrome := connect(t, s, protocol.Chrome)
		require.Contains(t, <-s.command(`{"action":"click","session":"shop","args":{"ref":"e1"}}`), `"not_connected"`)
		go chrome.Closed()
		s.shutdown()
	})
}

func TestDirectoryHasOneDaemon(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		_, err := daemon.New(daemon.Config{Dir: s.dir})
		require.ErrorContains(t, err, "open the config directory")
		s.shutdown()
		require.NoError(t, s.daemon.Close(), "once more")
		d, err := daemon.New(daemon.Config{Dir: s.dir})
		require.NoError(t, err)
		require.NoError(t, d.Close())
		d, err = daemon.New(daemon.Config{Dir: s.dir})
		require.NoError(t, err, "one that never served gives it back")
		require.NoError(t, d.Close())
	})
}

func TestServeUnderAContextThatHasEnded(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.shutdown()
		d, err := daemon.New(daemon.Config{Dir: s.dir})
		require.NoError(t, err)
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		listener := peer.Listen()
		require.NoError(t, d.Serve(ctx, listener))
		_, err = listener.Dial(context.Background())
		require.ErrorIs(t, err, net.ErrClosed, "the listener is closed all the same")
	})
}

// broken is a listener that fails.
type broken struct{ *peer.Listener }

var errBroken = errors.New("the test broke it")

func (b broken) Accept() (net.Conn, error) { return nil, errBroken }

func TestListenerThatFails(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		s.shutdown()
		d, err := daemon.New(daemon.Config{Dir: s.dir})
		require.NoError(t, err)
		require.ErrorIs(t, d.Serve(context.Background(), broken{peer.Listen()}), errBroken)
		s.serve()
		s.shutdown()
	})
}

// What net/http would serve or answer by itself goes through the gate.
func TestServerHasNoAnswersOfItsOwn(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		c := s.dial("OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
		answer := make([]byte, 4096)
		n, err := c.Read(answer)
		require.NoError(t, err)
		require.Contains(t, string(answer[:n]), "HTTP/1.1 403 Forbidden")
		require.NoError(t, c.Close())

		for _, tc := range []struct {
			header int
			status string
		}{{15 << 10, "200 OK"}, {21 << 10, "431 Request Header Fields Too Large"}} {
			c = s.dial("GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + strings.Repeat("x", tc.header) + "\r\n\r\n")
			n, err = c.Read(answer)
			require.NoError(t, err)
			require.Contains(t, string(answer[:n]), tc.status)
			require.NoError(t, c.Close())
		}
		s.shutdown()
	})
}

func TestHeaderHasTenSecondsAndAConnectionSixty(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		after      time.Duration
	}{
		{"half a header", "GET /ping HT", 10 * time.Second},
		{"nothing", "", 10 * time.Second},
		{"nothing behind an answer", "GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 60 * time.Second},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				c := s.dial(tc.text)
				began := time.Now()
				_, err := io.Copy(io.Discard, c)
				require.NoError(t, err)
				require.Equal(t, tc.after, time.Since(began))
				s.shutdown()
			})
		})
	}
}

func TestConnectionsAtATime(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		for range protocol.DefaultLimits().Connections {
			s.dial("")
		}
		began := time.Now()
		_, err := s.dial("").Read(make([]byte, 1))
		require.ErrorIs(t, err, io.EOF)
		require.Zero(t, time.Since(began))
		s.shutdown()
	})
}
