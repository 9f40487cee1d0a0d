package route_test

import (
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/route"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bindings are what a router holds or has saved.
type bindings = map[string]protocol.Browser

// disk is where a router saves its bindings. It is slow, and may be full.
type disk struct {
	mu    sync.Mutex
	takes time.Duration
	full  int // how many saves fail from now on
	saved bindings
	saves int
}

var errFull = errors.New("the test's disk is full")

func (d *disk) save(b map[string]protocol.Browser) error {
	d.mu.Lock()
	takes := d.takes
	d.mu.Unlock()
	time.Sleep(takes)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.saves++
	if d.full > 0 {
		d.full--
		return errFull
	}
	d.saved = maps.Clone(b)
	return nil
}

// fill lets the next n saves fail, after that long.
func (d *disk) fill(n int, takes time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.full, d.takes = n, takes
}

func (d *disk) holds() bindings {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.saved)
}

// scene is a router that browsers connect to, in a bubble of virtual time.
type scene struct {
	t        *testing.T
	router   *route.Router
	disk     *disk
	log      *strings.Builder
	listener *peer.Listener
	// late, if set, is called between a hello and its Connect.
	late func(*route.Place)
	// held is called between an upgrade and its Hold.
	held func()
}

func bubble(t *testing.T, begin bindings, test func(t *testing.T, s *scene)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &scene{t: t, disk: &disk{}, log: &strings.Builder{}, listener: peer.Listen()}
		s.router = route.New(protocol.DefaultLimits(), slog.New(slog.NewTextHandler(s.log, nil)), begin, s.disk.save)
		srv := &http.Server{Handler: s}
		go func() { _ = srv.Serve(s.listener) }()
		t.Cleanup(func() {
			s.router.Shutdown(route.Farewell{Code: 1001, Reason: "the test is over"})
			require.NoError(t, srv.Close())
			time.Sleep(10 * time.Second)
		})
		test(t, s)
	})
}

// ServeHTTP is what the daemon does with an upgrade, in short.
func (s *scene) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b := protocol.Chrome
	if r.Header.Get("Origin") == peer.FirefoxOrigin {
		b = protocol.Firefox
	}
	place, err := s.router.Reserve(b)
	if err != nil {
		http.Error(w, err.Error(), protocol.AsError(err).Code.Status())
		return
	}
	defer place.Leave()
	welcome := protocol.Welcome{DaemonVersion: "1.0", Limits: []byte("{}")}
	l, err := browser.Accept(w, r, browser.Config{
		Browser: b, Limits: protocol.DefaultLimits(), Buffer: browser.NewBuffer(1 << 20), Log: slog.New(slog.DiscardHandler),
		Connected: func(l *browser.Link) {
			if s.late != nil {
				s.late(place)
			}
			place.Connect(l, welcome.AppendTo(nil))
		},
		Ended: place.Leave,
	})
	if err != nil {
		return
	}
	if s.held != nil {
		s.held()
	}
	place.Hold(l)
	l.Run()
}

// connect connects a browser that holds those sessions.
func (s *scene) connect(b protocol.Browser, sessions ...string) *peer.Extension {
	s.t.Helper()
	e := peer.Connect(s.t, s.listener, b, "token")
	e.Hello(b, sessions...)
	synctest.Wait()
	return e
}

func (s *scene) link(b protocol.Browser) *browser.Link {
	s.t.Helper()
	l := s.router.Links()[b]
	require.NotNil(s.t, l)
	return l
}

func command(action, session string, b protocol.Browser) protocol.Command {
	a, ok := protocol.LookupAction(action)
	if !ok {
		panic(action)
	}
	return protocol.Command{Action: a, Session: session, Browser: b}
}
