package sim

import (
	"context"
	"slices"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/page"
)

// Config says what a Browser is. Dial is required.
type Config struct {
	Dial DialFunc
	// Addr is where the daemon listens; protocol.DefaultAddr if empty.
	Addr  string
	Token string
	// SocketOnly opens the WebSocket and asks nothing before it or after a
	// refusal: no proof of GET /ping, no POST /extension. It is for scenarios of
	// rules that have nothing to do with these.
	SocketOnly bool
	// Profile is Chrome if its Browser is empty.
	Profile Profile
	// Origin and FileAccess replace the profile's.
	Origin     string
	FileAccess *bool
	// Hello is sent in place of the profile's hello, whatever it is; an empty
	// one is not sent, and then Connect returns after the upgrade.
	Hello *string
	// Sessions are the sessions that the extension holds at the start, each with
	// one tab.
	Sessions []string
	// PersonTabs are the URLs of the tabs that the person has open.
	PersonTabs []string
	// StrictTabs answers no_tab for a session that has no tab yet. Otherwise its
	// first command on a page finds a blank one, so that a test of the wire need
	// not navigate first.
	StrictTabs bool
	// Site has the pages that the browser shows; nil serves none. A URL that it does
	// not serve gets a small made-up page, which takes every action and has no DOM;
	// with SiteOnly it is navigation_failed.
	Site     page.Site
	SiteOnly bool
	// Rules are what the pages do by script, Values what evaluate answers.
	Rules  []page.Rule
	Values map[string]page.Value
	// Seed decides everything that is random: the jitter of the back-off.
	Seed uint64
	// Respond decides what comes of a started command; Default if it is nil.
	Respond Respond
	// Faults apply from the start, as Inject's.
	Faults []Rule
	// Trace gets every message. It is called from several goroutines and must
	// not wait.
	Trace func(TraceEvent)
	// Keep is how many receipts and starts are kept at least; 0 keeps all.
	Keep int
}

// Browser is a browser with the extension in it. It connects when Connect or
// Run says so, one connection at a time, and answers commands as the extension
// does. Its methods may be called by several goroutines; verbs on the
// connection concern the present one, or the last.
type Browser struct {
	cfg     Config
	profile Profile
	pages   *page.Tabs

	received, started *journal

	stop   context.Context
	cancel context.CancelCauseFunc
	work   sync.WaitGroup

	mu       sync.Mutex
	closed   bool
	dialling bool
	conns    int
	link     *link
	respond  Respond
	faults   []*activeRule
	holds    []*hold
	attempts []Attempt
	// suspended: the background was stopped, and only the alarm starts it again.
	suspended bool
}

// New returns a Browser that is not connected. Close it.
func New(cfg Config) *Browser {
	if cfg.Addr == "" {
		cfg.Addr = protocol.DefaultAddr
	}
	if cfg.Profile.Browser == "" {
		cfg.Profile = Chrome
	}
	b := &Browser{cfg: cfg, profile: cfg.Profile, respond: cfg.Respond}
	if cfg.Origin != "" {
		b.profile.Origin = cfg.Origin
	}
	if cfg.FileAccess != nil {
		b.profile.FileAccess = *cfg.FileAccess
	}
	b.received, b.started = newJournal(cfg.Keep), newJournal(cfg.Keep)
	b.stop, b.cancel = context.WithCancelCause(context.Background())
	b.pages = b.newPages()
	b.Inject(cfg.Faults...)
	return b
}

// Profile returns the browser's profile, with what the Config replaced.
func (b *Browser) Profile() Profile { return b.profile }

// Sessions returns the names of the sessions that the extension holds, sorted:
// what its next hello says.
func (b *Browser) Sessions() []string { return b.pages.Sessions() }

// SetRespond replaces Config.Respond for commands that start from now on.
func (b *Browser) SetRespond(r Respond) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.respond = r
}

// Close ends the connection without a close frame, ends Run and everything
// that the Browser does, and waits for it. It may be called again.
func (b *Browser) Close() error {
	b.mu.Lock()
	b.closed = true
	l := b.link
	b.mu.Unlock()
	if l != nil {
		// Before Run hears of it, which would take its leave.
		l.drop(ErrClosed)
	}
	b.cancel(ErrClosed)
	b.work.Wait()
	return nil
}

// spawn runs f on a goroutine that Close waits for; not at all after Close.
func (b *Browser) spawn(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.work.Go(f)
	}
}

// current returns the present connection, or the last one; nil before the first.
func (b *Browser) current() *link {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.link
}

// Connected reports whether there is a connection that the daemon has welcomed.
func (b *Browser) Connected() bool {
	l := b.current()
	return l != nil && l.alive() && l.isWelcome()
}

// Welcome returns the welcome frame of the present connection; false if there
// was none yet.
func (b *Browser) Welcome() (protocol.Welcome, bool) {
	if l := b.current(); l != nil && l.isWelcome() {
		return *l.greeting, true
	}
	return protocol.Welcome{}, false
}

// Done returns a channel that is closed when the present connection has ended;
// a closed one before the first.
func (b *Browser) Done() <-chan struct{} {
	if l := b.current(); l != nil {
		return l.done
	}
	over := make(chan struct{})
	close(over)
	return over
}

// Closed returns the code and the reason of the close frame that the daemon
// sent on the present connection, or the last; false if it has sent none.
func (b *Browser) Closed() (code int, reason string, ok bool) {
	if l := b.current(); l != nil {
		return l.said()
	}
	return 0, "", false
}

// Attempts returns the tries to connect so far.
func (b *Browser) Attempts() []Attempt {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.attempts)
}
