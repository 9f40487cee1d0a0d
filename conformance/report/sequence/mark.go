package sequence

import (
	"regexp"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

// mark finds what shows the failure, marks it, and puts the events into the
// diagram. A transcript does not say at which of its lines a check looked; the
// check's reason quotes what it saw. So it is the message of a tested actor, no
// later than the check, that shares the most with the reason, where a word
// weighs the more the fewer messages have it. Of several the last is taken.
func mark(tested []string, e *verdict.Finished, said []event, d *diagram.Diagram) {
	why := e.Reason
	if e.Check != "" {
		why = e.Check + ": " + e.Reason
	} else if e.Cause != "" {
		why = string(e.Cause) + ": " + e.Reason
	}
	checked := end(e, said)
	offending := -1
	if !absent.MatchString(seen(e.Reason)) {
		offending = quoted(tested, said[:checked], tokens(seen(e.Reason)))
	}
	for i, s := range said {
		if i == checked && offending < 0 {
			d.Events = append(d.Events, here(e, why, said))
		}
		if i == offending {
			s.Marked, s.Why = true, why
		}
		d.Events = append(d.Events, s.Event)
	}
	if checked == len(said) && offending < 0 {
		d.Events = append(d.Events, here(e, why, said))
	}
}

// here is the remark that marks when a check was made.
func here(e *verdict.Finished, why string, said []event) diagram.Event {
	at := e.Elapsed
	if !timed(e) && len(said) > 0 {
		at = said[len(said)-1].At
	}
	label := "here it failed"
	if e.Step != "" {
		label += ": " + e.Step
	}
	return diagram.Event{At: at, Kind: diagram.Note, Label: label, Marked: true, Why: why}
}

// timed reports whether a scenario's time is that of its last step: one that
// did not come to its end has none.
func timed(e *verdict.Finished) bool {
	return !slices.Contains([]verdict.Cause{
		verdict.CauseHang, verdict.CauseLeak, verdict.CausePanic, verdict.CauseHarness, verdict.CauseTarget,
	}, e.Cause)
}

// end returns how many of the events were before the check. What follows is the
// scenario being cleaned up.
func end(e *verdict.Finished, said []event) int {
	if !timed(e) {
		return len(said)
	}
	n := len(said)
	for n > 0 && said[n-1].At > e.Elapsed {
		n--
	}
	return n
}

var (
	// wanted begins what a reason says should have been.
	wanted = regexp.MustCompile(`[;,:]? (?:want|wanted|expected|should|must|they were|instead of|a conformant)\b`)
	// absent is a reason that speaks of what did not come.
	absent = regexp.MustCompile(`(?i)\b(?:received none|nothing|never|no answer|did not|has none|is missing|still (?:open|there|connected)|within)\b`)
	word   = regexp.MustCompile(`[\pL\pN_.:/#@-]*[\pL\pN]`)
)

// seen returns the part of a reason that says what was seen.
func seen(reason string) string {
	if at := wanted.FindStringIndex(reason); at != nil && at[0] > 0 {
		return reason[:at[0]]
	}
	return reason
}

// common are words that reasons are made of and that quote nothing.
var common = []string{
	"the", "and", "was", "were", "has", "had", "have", "with", "for", "not", "got", "one", "other", "its", "that", "this", "from", "then",
	"told", "answered", "answer", "received", "said", "sent", "after", "before", "while", "which", "what",
}

// trimmed are the characters that belong to a word in its middle alone.
const trimmed = ".:/-#"

// token is a word of a reason that a message may hold, too. One of the protocol,
// and one that no sentence is made of, tells that it is quoted.
type token struct {
	text  string
	tells bool
}

// enough is how many words a message must share with a reason if none of them
// tells.
const enough = 3

func tokens(reason string) []token {
	var all []token
	for _, w := range word.FindAllString(strings.ToLower(reason), -1) {
		t := token{strings.Trim(w, trimmed), strings.ContainsAny(w, "0123456789_/#@.")}
		if _, action := protocol.LookupAction(t.text); action || slices.Contains(protocol.Codes[:], protocol.Code(t.text)) {
			t.tells = true
		}
		if len(t.text) > 1 && !slices.Contains(common, t.text) && !slices.ContainsFunc(all, func(o token) bool { return o.text == t.text }) {
			all = append(all, t)
		}
	}
	return all
}

// quoted returns the index of the message of a tested actor that holds the
// most of the tokens, -1 if none holds enough of them. Of several it is the one whose
// rarest token the reason names first, and of these the last.
func quoted(tested []string, said []event, tokens []token) int {
	holds := make(map[int][]int)
	often := make([]int, len(tokens))
	for i, s := range said {
		if s.Kind == diagram.Note || !slices.Contains(tested, s.From) {
			continue
		}
		words := word.FindAllString(strings.ToLower(s.text), -1)
		for j := range words {
			words[j] = strings.Trim(words[j], trimmed)
		}
		for t, token := range tokens {
			if slices.Contains(words, token.text) {
				holds[i] = append(holds[i], t)
				often[t]++
			}
		}
	}
	best, most, first := -1, 0.0, 0
	for i := range said {
		score, rarest, tells := 0.0, 0, len(holds[i]) >= enough
		for n, t := range holds[i] {
			tells = tells || tokens[t].tells
			score += 1 / float64(often[t])
			if n == 0 || often[t] < often[rarest] {
				rarest = t
			}
		}
		const equal = 1e-9
		if tells && (score > most+equal || score > most-equal && rarest <= first) {
			best, most, first = i, score, rarest
		}
	}
	return best
}
