//go:build linux

package bench

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// floor is the least that a daemon of this shape can do: read a body, decode
// it, give it an id, hand it to the one writer of a WebSocket, wait for the
// answer with that id or 30 s, decode the answer and encode it again. It trusts
// everybody, routes nothing, checks nothing and keeps no limit but the body's.
type floor struct {
	out     chan []byte
	mu      sync.Mutex
	pending map[string]chan floorResult
}

type floorCommand struct {
	Action  string         `json:"action"`
	Session string         `json:"session"`
	Args    jsontext.Value `json:"args"`
}

type floorResult struct {
	Type string         `json:"type"`
	ID   string         `json:"id"`
	OK   bool           `json:"ok"`
	Data jsontext.Value `json:"data"`
}

func serveFloor(ln net.Listener) error {
	f := &floor{out: make(chan []byte, 256), pending: map[string]chan floorResult{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /command", f.command)
	mux.HandleFunc("GET /extension", f.extension)
	return (&http.Server{Handler: mux}).Serve(ln)
}

func (f *floor) command(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 2<<20))
	if err != nil {
		return
	}
	var c floorCommand
	if err := json.Unmarshal(body, &c); err != nil {
		return
	}
	var raw [12]byte
	_, _ = rand.Read(raw[:])
	id := hex.EncodeToString(raw[:])
	answer := make(chan floorResult, 1)
	f.mu.Lock()
	f.pending[id] = answer
	f.mu.Unlock()
	frame, err := json.Marshal(struct {
		Type    string         `json:"type"`
		ID      string         `json:"id"`
		Session string         `json:"session"`
		Action  string         `json:"action"`
		Args    jsontext.Value `json:"args"`
		Left    int            `json:"deadline_ms"`
	}{"command", id, c.Session, c.Action, c.Args, 30000})
	if err != nil {
		return
	}
	f.out <- frame
	timer := time.NewTimer(30 * time.Second)
	defer timer.Stop()
	select {
	case res := <-answer:
		out, err := json.Marshal(struct {
			ID   string         `json:"id"`
			OK   bool           `json:"ok"`
			Data jsontext.Value `json:"data"`
		}{id, true, res.Data})
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(out)))
		_, _ = w.Write(out)
	case <-timer.C:
	}
}

func (f *floor) extension(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: []string{"omw.v1"}})
	if err != nil {
		return
	}
	c.SetReadLimit(64 << 20)
	ctx := context.Background()
	go func() {
		for frame := range f.out {
			if c.Write(ctx, websocket.MessageText, frame) != nil {
				return
			}
		}
	}()
	for {
		_, reader, err := c.Reader(ctx)
		if err != nil {
			return
		}
		var msg bytes.Buffer
		if _, err := msg.ReadFrom(reader); err != nil {
			return
		}
		var res floorResult
		if json.Unmarshal(msg.Bytes(), &res) != nil || res.Type != "result" {
			continue
		}
		f.mu.Lock()
		answer := f.pending[res.ID]
		delete(f.pending, res.ID)
		f.mu.Unlock()
		if answer != nil {
			answer <- res
		}
	}
}
