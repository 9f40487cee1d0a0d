package main

import (
	"fmt"
	"time"

	taping "github.com/oh-my-webbridge/omw/sim/record"
)

// recordView tells how a recording goes: where it listens, at a terminal how
// much there is, and what was written.
type recordView struct {
	p    *program
	out  string
	live bool
	last time.Time
}

func newRecordView(p *program, out string) *recordView {
	return &recordView{p: p, out: out, live: !p.json && isTerminal(p.out)}
}

func (v *recordView) begin(addr string) error {
	if v.p.json {
		return writeJSON(v.p.out, struct {
			Event    string `json:"event"`
			Addr     string `json:"addr"`
			Upstream string `json:"upstream"`
			Out      string `json:"out"`
		}{"recording", addr, v.p.place.addr, v.out})
	}
	hint := ""
	if v.live {
		hint = "Give that address to the extension or to agents; Ctrl-C writes the tape.\n"
	}
	_, err := fmt.Fprintf(v.p.out, "recording what passes from %s to %s\n%s", addr, v.p.place.addr, hint)
	return err
}

// progressEvery is the time between two lines that a person is shown.
const progressEvery = 200 * time.Millisecond

func (v *recordView) progress(s taping.Summary) {
	if !v.live || time.Since(v.last) < progressEvery {
		return
	}
	v.last = time.Now()
	_, _ = fmt.Fprintf(v.p.out, "%s%s", clearLine, told(s))
}

// saved tells that the tape is there, while the recording goes on.
func (v *recordView) saved(s taping.Summary) error { return v.wrote("saved", " so far", s) }

func (v *recordView) end(s taping.Summary) error { return v.wrote("recorded", "", s) }

func (v *recordView) wrote(event, more string, s taping.Summary) error {
	if v.p.json {
		return writeJSON(v.p.out, struct {
			Event string `json:"event"`
			Out   string `json:"out"`
			taping.Summary
			DurationMS int64 `json:"duration_ms"`
		}{event, v.out, s, s.Duration().Milliseconds()})
	}
	clear := ""
	if v.live {
		clear = clearLine
	}
	full := ""
	if s.Full {
		full = "The recording is full: what came after that is missing.\n"
	}
	_, err := fmt.Fprintf(v.p.out, "%s%s: %s in %s%s\n%s", clear, v.out, told(s), s.Duration().Round(10*time.Millisecond), more, full)
	return err
}

func told(s taping.Summary) string {
	return fmt.Sprintf("%s, %s, %s", many(s.Calls, "call"), many(s.Links, "connection"), many(s.Messages, "message"))
}

func many(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
