package api

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/oh-my-webbridge/omw/daemon/artifact"
	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/gate"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/route"
)

// Config is what the handler needs. All fields are required.
type Config struct {
	Version string
	Addr    string
	Limits  protocol.Limits
	Log     *slog.Logger
	Router  *route.Router
	// Token returns the current token.
	Token func() string
	// Rotate makes a new token and returns it when it is saved.
	Rotate func() (string, error)
}

// Handler serves the daemon's HTTP. It is an http.Handler.
type Handler struct {
	cfg     Config
	limits  protocol.Limits
	gate    *gate.Gate
	slots   *gate.Slots
	pairing *gate.Pairing
	guests  *gate.Slots // POST /pair at a time
	router  *route.Router
	buffer  *browser.Buffer
	uploads *artifact.Uploads
	ids     *ids
	serve   map[string]func(*visit) // by the route's path
	began   time.Time

	closing atomic.Bool
	active  sync.WaitGroup
}

// visit is one admitted request on its way.
type visit struct {
	w http.ResponseWriter
	r *http.Request
	gate.Visitor
	release func() // gives the slot back, once
}

// New returns a handler.
func New(cfg Config) *Handler {
	h := &Handler{
		cfg: cfg, limits: cfg.Limits, router: cfg.Router, began: time.Now(),
		slots:   gate.NewSlots(cfg.Limits.Requests),
		pairing: gate.NewPairing(cfg.Limits),
		guests:  gate.NewSlots(cfg.Limits.PairConcurrent),
		buffer:  browser.NewBuffer(cfg.Limits.Buffered),
		uploads: artifact.NewUploads(cfg.Limits),
		ids:     newIDs(),
	}
	h.gate = gate.New(h.routes())
	return h
}

// ServeHTTP admits a request, gives it a slot and serves it (LIMIT-01).
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.active.Add(1)
	defer h.active.Done()
	visitor, refusal := h.gate.Admit(w, r)
	if refusal != nil {
		h.turnAway(w, r, refusal)
		return
	}
	if h.closing.Load() {
		h.turnAway(w, r, protocol.Errorf(protocol.NotConnected, "omw is shutting down"))
		return
	}
	if !h.slots.Take() {
		w.Header().Set("Retry-After", "1")
		h.turnAway(w, r, protocol.Errorf(protocol.Busy, "%d requests are being served already, which is the most; try again", h.limits.Requests))
		return
	}
	release := sync.OnceFunc(h.slots.Free)
	defer release()
	// A caller that is gone takes no slot. It may also have closed its sending
	// half alone, so its answer is written all the same.
	defer context.AfterFunc(r.Context(), release)()
	v := &visit{w, r, visitor, release}
	if visitor.Preflight {
		h.leave(w, r)
		w.WriteHeader(http.StatusNoContent)
		return
	}
	h.serve[visitor.Route.Path](v)
}

// Close refuses what comes from now on, ends the links and settles the commands
// that wait.
func (h *Handler) Close() {
	h.closing.Store(true)
	h.router.Shutdown(route.Farewell{Code: websocket.StatusGoingAway, Reason: "omw is shutting down"})
}

// Wait returns when every request has been served and every link has ended.
func (h *Handler) Wait() { h.active.Wait() }
