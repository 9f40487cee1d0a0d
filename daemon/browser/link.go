package browser

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Config is what a link needs. All fields are required.
type Config struct {
	// Browser is what the WebSocket's Origin says, whatever hello claims (ROUTE-01).
	Browser protocol.Browser
	// Origin is that Origin, for the status alone.
	Origin string
	Limits protocol.Limits
	// Buffer is shared by the links of all browsers (LIMIT-08).
	Buffer *Buffer
	Log    *slog.Logger
	// Connected is called once, when a good hello has come. What it sends goes
	// out before any command.
	Connected func(*Link)
	// Ended is called once, as soon as the link takes no more commands. It may
	// be while Connected is being called.
	Ended func()
	// Request answers a request frame with a result frame (CMD-13). It is
	// called in a goroutine that Run waits for. Free is called when the result
	// has been written, or will not be.
	Request func(*protocol.Request) (result []byte, free func())
}

// Link is the connection to one browser's extension.
type Link struct {
	cfg     Config
	conn    *websocket.Conn
	wire    *wire
	log     *slog.Logger
	silence *time.Timer
	noHello *time.Timer

	// answering counts the goroutines that answer request frames.
	answering sync.WaitGroup
	// owed holds a token for each frame that the peer asked for and has not got.
	owed chan struct{}

	hello protocol.Hello // set before Connected is called, constant from then on

	wake  chan struct{} // holds one token when out has grown
	ended chan struct{} // closed when end is set

	mu      sync.Mutex
	pending map[string]*Call
	// waiting holds each session's admitted commands that have not been sent,
	// in the order of their admission (CMD-06).
	waiting map[string][]*Call
	// latest holds each session's last command frame that binds, as queued counts.
	latest map[string]uint64
	out    []outgoing
	used   [2]int // slots taken: ordinary, reserved
	sent   uint64 // counts the command frames, in the order they were queued
	end    *ending
}

// Accept upgrades an admitted request and returns its link, on which Run must
// be called. It selects omw.v1 and never echoes the token's subprotocol
// (AUTH-04). After an error the answer has been written.
func Accept(w http.ResponseWriter, r *http.Request, cfg Config) (*Link, error) {
	l := &Link{
		cfg: cfg, log: cfg.Log.With("browser", string(cfg.Browser)),
		owed: make(chan struct{}, owedMost),
		wake: make(chan struct{}, 1), ended: make(chan struct{}),
		pending: map[string]*Call{}, waiting: map[string][]*Call{}, latest: map[string]uint64{},
	}
	upgrade := &upgrade{ResponseWriter: w, heard: l.heard}
	conn, err := websocket.Accept(upgrade, r, &websocket.AcceptOptions{
		Subprotocols: []string{protocol.Version},
		// The gate has checked the Origin more strictly than this library would.
		InsecureSkipVerify: true,
		CompressionMode:    websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(cfg.Limits.Message)
	l.conn, l.wire = conn, upgrade.wire
	return l, nil
}

// Browser returns which browser this is.
func (l *Link) Browser() protocol.Browser { return l.cfg.Browser }

// Origin returns the extension's origin.
func (l *Link) Origin() string { return l.cfg.Origin }

// Hello returns what the extension said of itself, once Connected was called.
func (l *Link) Hello() protocol.Hello { return l.hello }

// Use returns how many ordinary and reserved slots are taken.
func (l *Link) Use() (ordinary, reserved int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used[ordinarySlot], l.used[reservedSlot]
}

// Run serves the link until it ends, by its peer, by a fault or by Close. When
// it returns every command is settled and every goroutine of the link is done.
func (l *Link) Run() {
	l.silence = time.AfterFunc(l.cfg.Limits.Silence, func() {
		l.Close(websocket.StatusPolicyViolation, "nothing was received for "+l.cfg.Limits.Silence.String())
	})
	l.noHello = time.AfterFunc(l.cfg.Limits.HelloTime, func() {
		l.Close(websocket.StatusPolicyViolation, "no hello within "+l.cfg.Limits.HelloTime.String())
	})
	var own sync.WaitGroup
	own.Go(l.write)
	own.Go(l.closeWhenEnded)
	l.read()
	own.Wait()
	l.silence.Stop()
	l.noHello.Stop()
	l.answering.Wait()
}
