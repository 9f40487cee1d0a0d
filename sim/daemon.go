package sim

import (
	"context"
	"errors"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// DaemonConfig says what a Daemon knows.
type DaemonConfig struct {
	// Token is what it proves to know and asks for.
	Token string
	// Code is the pairing code that POST /pair redeems, as often as it is asked;
	// empty refuses all.
	Code string
	// Trace gets what passes on its WebSockets, as the daemon's end sees it, and
	// every HTTP request and answer, as kind "http", with the token replaced. It
	// is called from several goroutines and must not wait.
	Trace func(TraceEvent)
}

// Ping says how a Daemon answers GET /ping.
type Ping string

// The ways to answer GET /ping. The zero value is honest. Only the first one
// proves that the daemon knows the token (AUTH-20).
const (
	PingHonest Ping = ""
	// PingNoProof answers without a proof.
	PingNoProof Ping = "no proof"
	// PingWrongProof proves another token, PingOldProof another nonce.
	PingWrongProof Ping = "a proof with another token"
	PingOldProof   Ping = "a proof of another nonce"
	// PingEmptyProof answers with an empty proof, PingEcho with the nonce itself.
	PingEmptyProof Ping = "an empty proof"
	PingEcho       Ping = "the nonce itself"
	// PingOtherType answers with a proof that is a number.
	PingOtherType Ping = "a number"
	// PingNotFound answers 404, PingGarbage no JSON, PingSilent nothing at all.
	PingNotFound Ping = "404"
	PingGarbage  Ping = "no JSON"
	PingSilent   Ping = "nothing at all"
)

// Manners say how a Daemon behaves; the zero value is that of a good one. What
// it does with a connection or a frame is decided when that arrives.
type Manners struct {
	Ping Ping
	// Refuse is the status that the upgrade and POST /extension get; 0 accepts.
	Refuse int
	// RefuseSocket is that of the upgrade alone.
	RefuseSocket int
	// Reset ends every new connection by a reset, before it is read.
	Reset bool
	// CutUpgrade ends the connection in place of the answer to an upgrade.
	CutUpgrade bool
	// CloseCode answers a hello with a close frame of that code; 0 with a
	// welcome. NoWelcome answers it with nothing.
	CloseCode int
	NoWelcome bool
	// NoPong answers no ping.
	NoPong bool
}

// Daemon is the daemon's end of the wire: it answers what an extension asks,
// welcomes it and sends it commands, or does all of that wrongly. It records
// what reached it, byte for byte and with its time, and never asserts.
type Daemon struct {
	cfg DaemonConfig
	ln  net.Listener

	stop   context.Context
	cancel context.CancelFunc
	work   sync.WaitGroup

	mu       sync.Mutex
	manners  Manners
	closed   bool
	conns    map[*memnet.Faulty]struct{}
	contacts []Contact
	asked    []Asked
	sockets  []*Socket
}

// Contact is one connection that was made to a Daemon.
type Contact struct {
	// N counts from 1.
	N int
	// Opened is when it was made, Last when something last happened on it: a
	// request, its answer, or the end.
	Opened, Last time.Time
}

// NewDaemon returns a Daemon that listens; it owns ln. Close it.
func NewDaemon(ln net.Listener, cfg DaemonConfig) *Daemon {
	d := &Daemon{cfg: cfg, ln: ln, conns: map[*memnet.Faulty]struct{}{}}
	d.stop, d.cancel = context.WithCancel(context.Background())
	d.work.Go(d.accept)
	return d
}

// Addr returns where it listens, as 127.0.0.1:17373.
func (d *Daemon) Addr() string { return d.ln.Addr().String() }

// Behave replaces its manners for what arrives from now on.
func (d *Daemon) Behave(m Manners) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.manners = m
}

// Manners returns its present manners.
func (d *Daemon) Manners() Manners {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.manners
}

// Close ends every connection and waits for everything that the Daemon does.
// It may be called again.
func (d *Daemon) Close() error {
	d.mu.Lock()
	d.closed = true
	conns := make([]*memnet.Faulty, 0, len(d.conns))
	for c := range d.conns {
		conns = append(conns, c)
	}
	d.mu.Unlock()
	d.cancel()
	err := d.ln.Close()
	for _, c := range conns {
		_ = c.Close()
	}
	d.work.Wait()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// accept takes connections until Close.
func (d *Daemon) accept() {
	for {
		raw, err := d.ln.Accept()
		if err != nil {
			return
		}
		c := memnet.Wrap(raw)
		n, reset, ok := d.contact(c)
		switch {
		case !ok:
			_ = c.Close()
			return
		case reset:
			_ = c.Reset()
			d.parted(c, n)
		default:
			d.work.Go(func() {
				d.converse(c, n)
				_ = c.Close()
				d.parted(c, n)
			})
		}
	}
}

func (d *Daemon) contact(c *memnet.Faulty) (n int, reset, ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return 0, false, false
	}
	d.conns[c] = struct{}{}
	now := time.Now()
	d.contacts = append(d.contacts, Contact{N: len(d.contacts) + 1, Opened: now, Last: now})
	return len(d.contacts), d.manners.Reset, true
}

func (d *Daemon) parted(c *memnet.Faulty, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.conns, c)
	d.contacts[n-1].Last = time.Now()
}

// happened notes that something passed on a contact.
func (d *Daemon) happened(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.contacts[n-1].Last = time.Now()
}

// Contacts returns the connections that were made so far.
func (d *Daemon) Contacts() []Contact {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.contacts)
}

// Requests returns the HTTP requests received so far, upgrades included.
func (d *Daemon) Requests() []Asked {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.asked)
}

// Sockets returns the WebSockets opened so far.
func (d *Daemon) Sockets() []*Socket {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.sockets)
}

// welcomeLimits are those that a daemon's welcome tells (PROTOCOL.md, section 7).
func welcomeLimits() jsontext.Value {
	of, ext := protocol.DefaultLimits(), protocol.DefaultExtensionLimits()
	out := []byte{'{'}
	for _, l := range []struct {
		name  string
		value int64
	}{
		{"body", of.Body},
		{"message", of.Message},
		{"inline", ext.Inline},
		{"pdf", of.PDF},
		{"waiting", int64(ext.Waiting)},
		{"tabs", int64(ext.Tabs)},
		{"jobs", int64(ext.Jobs)},
		{"ping_ms", ext.Ping.Milliseconds()},
		{"silence_ms", ext.Silence.Milliseconds()},
	} {
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(strconv.AppendQuote(out, l.name), ':'), l.value, 10)
	}
	return append(out, '}')
}
