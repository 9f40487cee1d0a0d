package world

import (
	"fmt"
	"sync"
)

// Honesty compares what agents were told with what browsers started (KIT-10).
// Steps feed it: whoever sends a request calls Asked with a mark that no other
// request of the scenario has, whoever plays the browser calls Started when a
// command with that mark arrives there, and whoever receives the answer calls
// Answered. A mark is a text that travels in the command's arguments, as a
// selector "#m17", since the daemon uses ids of its own on the link.
//
// At the end of every scenario the runner calls Check. A scenario that feeds
// nothing passes it.
type Honesty struct {
	mu       sync.Mutex
	order    []string
	requests map[string]*request
}

type request struct {
	asked  bool
	starts int
	answer Answer
}

// Answer is what an agent was told about its request.
type Answer int

// The answers. The zero value is a request whose answer nobody saw: it may
// have started once.
const (
	Unanswered Answer = iota
	// Refused: an HTTP status of 400 or more, busy, not_connected, or any error
	// with delivered "no". The browser must not have started it.
	Refused
	// Ran: ok, or page_error. The browser must have started it exactly once.
	Ran
	// Uncertain: outcome_unknown, or another error of the browser. The browser
	// may have started it once.
	Uncertain
)

// AnswerTo returns the Answer that an HTTP status and an answer's fields mean.
// code and delivered are empty for ok.
func AnswerTo(status int, ok bool, code, delivered string) Answer {
	switch {
	case status >= 400, code == "busy", code == "not_connected", delivered == "no":
		return Refused
	case ok, code == "page_error":
		return Ran
	default:
		return Uncertain
	}
}

// Asked says that a request with this mark is about to be sent.
func (h *Honesty) Asked(mark string) { h.with(mark, func(r *request) { r.asked = true }) }

// Started says that a browser received a command with this mark and began it.
func (h *Honesty) Started(mark string) { h.with(mark, func(r *request) { r.starts++ }) }

// Answered says what the agent was told about the request with this mark.
func (h *Honesty) Answered(mark string, a Answer) { h.with(mark, func(r *request) { r.answer = a }) }

// Starts returns how often a browser began the command with this mark.
func (h *Honesty) Starts(mark string) int {
	var n int
	h.with(mark, func(r *request) { n = r.starts })
	return n
}

func (h *Honesty) with(mark string, f func(*request)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, ok := h.requests[mark]
	if !ok {
		r = &request{}
		if h.requests == nil {
			h.requests = make(map[string]*request)
		}
		h.requests[mark] = r
		h.order = append(h.order, mark)
	}
	f(r)
}

// Check returns a *Failure for the first request whose starts do not agree with
// its answer, or nil.
func (h *Honesty) Check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, mark := range h.order {
		if check, reason := h.requests[mark].judge(); check != "" {
			return &Failure{Check: "KIT-10/" + check, Reason: fmt.Sprintf("request %q %s", mark, reason)}
		}
	}
	return nil
}

func (r *request) judge() (check, reason string) {
	switch {
	case !r.asked && r.starts > 0:
		return "never-asked", "was started in a browser and nobody had asked for it"
	case r.starts > 1:
		return "started-twice", fmt.Sprintf("was started %d times", r.starts)
	case r.answer == Refused && r.starts > 0:
		return "refused-and-started", "was refused, and yet a browser started it"
	case r.answer == Ran && r.starts == 0:
		return "answered-unstarted", "was answered as done, and no browser started it"
	}
	return "", ""
}
