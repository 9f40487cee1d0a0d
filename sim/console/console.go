// Package console takes tapes over HTTP and plays each against a daemon that
// runs: a test in any language posts a script and reads what came of it.
//
//	curl --unix-socket /run/user/1000/omw/sim.sock --data-binary @bug.tape http://sim/play
//
// One request is one whole script: it is judged before anything of it is done,
// scripts are played one after the other in the order in which they came, and a
// caller that hangs up ends its own. It listens on a Unix socket that its owner
// alone reaches, or on 127.0.0.1 for callers that know the daemon's token.
package console

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Play plays a tape to its end. It calls emit for each line of the answer, a
// value that is marshalled as one JSON object; its own goroutine alone may do so.
// An error that is a *tape.Error says that this tape cannot be played here, any
// other that none could. What a tape expected in vain is a line.
type Play func(ctx context.Context, t *tape.Tape, emit func(line any) error) error

// Config says what a Console is. Play is required.
type Config struct {
	Play Play
	// Token is asked for as Authorization: Bearer unless it is empty, which is for
	// a Unix socket alone.
	Token string
	// Most is the largest script in bytes; 64 MiB if 0.
	Most int64
}

// Console is the http.Handler of scripts.
type Console struct {
	cfg Config
	mux *http.ServeMux
	// turn holds a token while a script is played.
	turn chan struct{}
}

const defaultMost = 64 << 20

// New returns a Console.
func New(cfg Config) *Console {
	if cfg.Most <= 0 {
		cfg.Most = defaultMost
	}
	c := &Console{cfg: cfg, mux: http.NewServeMux(), turn: make(chan struct{}, 1)}
	c.mux.HandleFunc("POST /play", c.play)
	c.mux.HandleFunc("/play", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", http.MethodPost)
		refuse(w, http.StatusMethodNotAllowed, "POST the script to /play")
	})
	c.mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "there is /play alone: POST a script to it")
	})
	return c
}

// ServeHTTP lets in who may come in: no page of a browser, and nobody who does
// not know the token where one is asked for.
func (c *Console) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Cache-Control", "no-store")
	if r.Header.Values("Origin") != nil || r.Header.Values("Sec-Fetch-Site") != nil {
		refuse(w, http.StatusForbidden, "scripts are not taken from a browser")
		return
	}
	if c.cfg.Token != "" {
		if !local(r.Host) {
			refuse(w, http.StatusForbidden, "the Host is not 127.0.0.1")
			return
		}
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") || subtle.ConstantTimeCompare([]byte(token), []byte(c.cfg.Token)) != 1 {
			refuse(w, http.StatusUnauthorized, "send Authorization: Bearer with the daemon's token; omw token show prints it")
			return
		}
	}
	c.mux.ServeHTTP(w, r)
}

// local reports whether a Host is the address that is listened on, with any port,
// so that no name that was made to point there is taken for it.
func local(host string) bool {
	name, _, err := net.SplitHostPort(host)
	return host == "127.0.0.1" || err == nil && name == "127.0.0.1"
}

func (c *Console) play(w http.ResponseWriter, r *http.Request) {
	script, err := io.ReadAll(http.MaxBytesReader(w, r.Body, c.cfg.Most))
	if err != nil {
		if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
			refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("the script is larger than %d bytes", tooLarge.Limit))
			return
		}
		refuse(w, http.StatusBadRequest, "the script has no end: "+err.Error())
		return
	}
	t, err := tape.Parse(nameOf(r), script)
	if err != nil {
		bad(w, err)
		return
	}
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-r.Context().Done():
	}
	if r.Context().Err() != nil {
		refuse(w, http.StatusServiceUnavailable, "scripts are not taken any more; nothing of this one was done")
		return
	}
	a := &answer{w: w}
	switch err := c.cfg.Play(r.Context(), t, a.line); {
	case err == nil:
	case a.began:
		_ = a.line(failure{Error: err.Error()})
	case isFault(err):
		bad(w, err)
	default:
		refuse(w, http.StatusServiceUnavailable, err.Error())
	}
}

// nameOf is what the caller calls the script, for what is said about it.
func nameOf(r *http.Request) string {
	if name := r.URL.Query().Get("name"); name != "" {
		return name
	}
	return "script"
}

// answer is the JSON lines that a caller gets.
type answer struct {
	w     http.ResponseWriter
	began bool
}

func (a *answer) line(v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	if err == nil {
		if !a.began {
			a.began = true
			a.w.Header().Set("Content-Type", "application/x-ndjson")
		}
		_, err = a.w.Write(line.Bytes())
	}
	if err != nil {
		return fmt.Errorf("write a line of the answer: %w", err)
	}
	return nil
}

// failure is what a refusal says.
type failure struct {
	Error  string  `json:"error"`
	Faults []fault `json:"faults,omitempty"`
}

// fault is one thing that is wrong with a script.
type fault struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Problem string `json:"problem"`
}

func isFault(err error) bool {
	_, is := errors.AsType[*tape.Error](err)
	return is
}

// bad answers what is wrong with a script. The error holds file:line of each
// fault; programs read them from faults.
func bad(w http.ResponseWriter, err error) {
	f := failure{Error: err.Error()}
	if wrong, ok := errors.AsType[*tape.Error](err); ok {
		for _, one := range wrong.Faults {
			f.Faults = append(f.Faults, fault{wrong.Name, one.Line, one.Problem})
		}
	}
	write(w, http.StatusBadRequest, f)
}

func refuse(w http.ResponseWriter, status int, why string) { write(w, status, failure{Error: why}) }

func write(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
}
