// Package watch judges the client of an agent by what it sends, whatever it is
// written in and without its help: a token outside its header, a token before
// the daemon's proof, an uncertain command sent again, a refusal for want of
// room that is not heeded, an id that names two commands (KIT-11).
//
// A Judge is told of every request and of every answer, by a proxy in front of
// a daemon or by a daemon that the suite plays, and reads nothing else.
package watch

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The rules that a client's traffic can break.
const (
	RuleHeader = "AUTH-03"
	RuleProof  = "AUTH-20"
	RuleID     = "CMD-03"
	RuleRepeat = "CMD-12"
	RuleBusy   = "LIMIT-02"
)

// Rules are the rules that a Judge knows, sorted.
var Rules = []string{RuleHeader, RuleProof, RuleID, RuleRepeat, RuleBusy}

// Patience is how long a client waits at least before it sends a command again
// that was refused as busy, where the answer does not say: as long as the least
// delay of the back-off on the link.
const Patience = 500 * time.Millisecond

// Finding is a rule that the client has broken.
type Finding struct {
	// Check names the assertion, as CMD-12/sent-again, and Rule its rule.
	Rule  string `json:"rule"`
	Check string `json:"check"`
	// Seq is the request that breaks it, and At when that came.
	Seq int       `json:"seq"`
	At  time.Time `json:"at"`
	// Reason says what was seen, and Right what a conformant client does.
	Reason string `json:"reason"`
	Right  string `json:"right"`
}

// Judge judges one client. Its methods may be called by several goroutines.
type Judge struct {
	tokens func() []string

	mu       sync.Mutex
	findings []Finding
	met      map[string]int
	commands map[int]command
	nonces   map[int]string
	proven   bool
	// uncertain are the commands of each session that nobody has looked after,
	// by what they asked for; busy those that were refused for want of room, and
	// until when.
	uncertain map[string]map[string]command
	busy      map[string]refused
	pending   map[string]int
}

// refused is a command that was refused as busy.
type refused struct {
	seq   int
	until time.Time
	// told is what the answer said of the time, 0 if nothing.
	told time.Duration
}

// New returns a Judge. tokens returns the tokens that the daemon has, or had,
// while the client is watched; they never stand in a finding.
func New(tokens func() []string) *Judge {
	return &Judge{
		tokens: tokens, met: map[string]int{}, commands: map[int]command{}, nonces: map[int]string{},
		uncertain: map[string]map[string]command{}, busy: map[string]refused{}, pending: map[string]int{},
	}
}

// Findings returns what was found so far, in the order in which it came.
func (j *Judge) Findings() []Finding {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.findings)
}

// Met returns how often the client was in a situation in which it could have
// broken the rule. A rule that it never met was not shown, and did not pass.
func (j *Judge) Met(rule string) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.met[rule]
}

// Asked tells of a request. It is called before the request can be answered.
func (j *Judge) Asked(a Asked) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.token(a)
	if nonce, ok := nonceOf(a); ok {
		j.nonces[a.Seq] = nonce
	}
	c, ok := commandOf(a)
	if !ok {
		return
	}
	j.commands[a.Seq] = c
	j.again(c)
	j.soon(c)
	j.once(c)
}

// Answered tells what came of a request, before the client can know.
func (j *Judge) Answered(a Answered) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if nonce, ok := j.nonces[a.Seq]; ok {
		delete(j.nonces, a.Seq)
		j.proof(nonce, a)
	}
	c, ok := j.commands[a.Seq]
	if !ok {
		return
	}
	delete(j.commands, a.Seq)
	if j.pending[name(c)] == c.seq {
		delete(j.pending, name(c))
	}
	v := toldBy(a)
	switch {
	case v.uncertain() && !c.harmless:
		j.doubt(c)
	case v.code == string(protocol.Busy):
		until := a.At.Add(cmp.Or(v.after, Patience))
		j.busy[c.same] = refused{c.seq, until, v.after}
		j.met[RuleBusy]++
	case v.ok && c.looks(), v.ok && c.action == "close_session":
		delete(j.uncertain, c.session)
	}
}

// find adds a finding. j.mu is held.
func (j *Judge) find(rule, check string, seq int, at time.Time, right, format string, a ...any) {
	j.findings = append(j.findings, Finding{
		Rule: rule, Check: rule + "/" + check, Seq: seq, At: at, Reason: fmt.Sprintf(format, a...), Right: right,
	})
}

// doubt remembers a command of which nobody knows whether it ran. j.mu is held.
func (j *Judge) doubt(c command) {
	j.met[RuleRepeat]++
	if j.uncertain[c.session] == nil {
		j.uncertain[c.session] = map[string]command{}
	}
	j.uncertain[c.session][c.same] = c
}

// again judges whether an uncertain command is sent a second time (CMD-12).
// j.mu is held.
func (j *Judge) again(c command) {
	first, ok := j.uncertain[c.session][c.same]
	if !ok {
		return
	}
	j.find(RuleRepeat, "sent-again", c.seq, c.at,
		"it looks at the page first (snapshot, extract, screenshot …), and then decides, or leaves the decision to whoever asked",
		"%s was sent again (request %d) after request %d had ended without anybody knowing whether it ran, and nothing was read in between: it may run twice",
		actionName(c.action), c.seq, first.seq)
}

// soon judges whether a command that was refused for want of room is sent again
// too soon (LIMIT-01, LIMIT-02). j.mu is held.
func (j *Judge) soon(c command) {
	r, ok := j.busy[c.same]
	if !ok {
		return
	}
	delete(j.busy, c.same)
	left := r.until.Sub(c.at)
	if left <= 0 {
		return
	}
	said, right := "said no time", fmt.Sprintf("it waits %s at least, and longer each time", Patience)
	if r.told > 0 {
		said, right = fmt.Sprintf("asked for %s", r.told), "it waits as long as Retry-After says"
	}
	j.find(RuleBusy, "not-heeded", c.seq, c.at, right,
		"%s was sent again (request %d) %s too soon after request %d was answered busy, which %s",
		actionName(c.action), c.seq, left, r.seq, said)
}

// once judges whether an id names two commands at a time, so that no answer can
// be told from another's (CMD-03). j.mu is held.
func (j *Judge) once(c command) {
	if c.id == "" {
		return
	}
	j.met[RuleID]++
	first, taken := j.pending[name(c)]
	if taken {
		j.find(RuleID, "id-reused", c.seq, c.at, "every command has an id of its own, or none",
			"request %d has the id of request %d, which is still waiting in the same session", c.seq, first)
		return
	}
	for _, u := range j.uncertain[c.session] {
		if u.id == c.id {
			j.find(RuleID, "id-of-uncertain", c.seq, c.at, "every command has an id of its own, or none",
				"request %d has the id of request %d, of which nobody knows what came", c.seq, u.seq)
			return
		}
	}
	j.pending[name(c)] = c.seq
}

func name(c command) string { return strings.Join([]string{c.session, c.id}, "\x00") }
