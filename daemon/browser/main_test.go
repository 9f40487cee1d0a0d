package browser_test

import (
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// scene is a link with an extension at its other end, in a bubble of virtual time.
type scene struct {
	t      *testing.T
	limits protocol.Limits
	buffer *browser.Buffer
	log    *strings.Builder
	link   *browser.Link
	ext    *peer.Extension

	connected, ended atomic.Int64 // how often Connected and Ended were called
	// freed counts the results of requests that were given back.
	freed atomic.Int64
	// asked answers the request frames; nil answers {"n":1}.
	asked func(*protocol.Request) []byte
	// done is closed when Run has returned.
	done chan struct{}
}

// bubble runs a test with a link whose extension has said nothing yet.
func bubble(t *testing.T, test func(t *testing.T, s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{
			t: t, limits: protocol.DefaultLimits(), buffer: browser.NewBuffer(protocol.DefaultLimits().Buffered),
			log: &strings.Builder{}, done: make(chan struct{}),
		}
		s.open()
		t.Cleanup(s.close)
		test(t, s)
	})
}

func (s *scene) open() {
	listener := peer.Listen()
	links := make(chan *browser.Link, 1)
	srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l, err := browser.Accept(w, r, browser.Config{
			Browser: protocol.Chrome, Origin: peer.ChromeOrigin, Limits: s.limits, Buffer: s.buffer,
			Log: slog.New(slog.NewTextHandler(s.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			Connected: func(l *browser.Link) {
				s.connected.Add(1)
				w := protocol.Welcome{DaemonVersion: "1.0", Limits: []byte("{}")}
				l.Send(w.AppendTo(nil))
			},
			Ended: func() { s.ended.Add(1) },
			Request: func(f *protocol.Request) ([]byte, func()) {
				result := []byte(`{"type":"result","id":"` + f.ID + `","ok":true,"data":{"n":1}}`)
				if s.asked != nil {
					result = s.asked(f)
				}
				return result, func() { s.freed.Add(1) }
			},
		})
		if err != nil {
			s.t.Errorf("accept: %v", err)
			return
		}
		links <- l
		l.Run()
		close(s.done)
	})}
	go func() { _ = srv.Serve(listener) }()
	s.t.Cleanup(func() { _ = srv.Close() })
	s.ext = peer.Connect(s.t, listener, protocol.Chrome, "token")
	s.link = <-links
}

// close ends the link and requires that nothing is left of it.
func (s *scene) close() {
	s.ext.Leave()
	<-s.done
	time.Sleep(time.Second) // what the test set going ends
	if s.t.Failed() {
		return
	}
	require.Equal(s.t, int64(1), s.ended.Load(), "the link ends once")
	require.Zero(s.t, s.buffer.Held(), "the room that answers took is given back")
	ordinary, reserved := s.link.Use()
	require.Zero(s.t, ordinary, "slots are given back")
	require.Zero(s.t, reserved, "reserved slots are given back")
}

// hello lets the extension say hello and read the welcome.
func (s *scene) hello() *scene {
	s.ext.Hello(protocol.Chrome)
	return s
}

// due is the time that a command has, less than a silent link has.
const due = 30 * time.Second

// admit admits a command of that session.
func (s *scene) admit(action, session string) *browser.Call {
	s.t.Helper()
	c, err := s.tryAdmit(action, session, due)
	require.NoError(s.t, err)
	return c
}

func (s *scene) tryAdmit(action, session string, within time.Duration) (*browser.Call, error) {
	a, ok := protocol.LookupAction(action)
	require.True(s.t, ok, action)
	return s.link.Admit(a, session, time.Now().Add(within))
}

// send admits and sends a command.
func (s *scene) send(action, session string) *browser.Call {
	s.t.Helper()
	c := s.admit(action, session)
	c.Send([]byte("{}"))
	return c
}

// settled requires that a call is over, without waiting, and returns its error.
func (s *scene) settled(c *browser.Call) *protocol.Error {
	s.t.Helper()
	require.True(s.t, c.Over(), "the call still waits")
	_, err := c.Wait()
	return err
}

// ended requires that Run returns within that time, and returns how long it took.
func (s *scene) endsWithin(most time.Duration) time.Duration {
	s.t.Helper()
	began := time.Now()
	select {
	case <-s.done:
	case <-time.After(most):
		s.t.Fatalf("the link has not ended after %s", most)
	}
	return time.Since(began)
}
