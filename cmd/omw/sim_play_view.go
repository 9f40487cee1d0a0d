package main

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/sim/diagram"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// playView shows a person who waits how far a tape is.
type playView struct {
	p     *program
	lines int
	shown bool
}

// newPlayView returns a view that shows nothing where nobody waits.
func newPlayView(p *program, t *tape.Tape, l ledger.Lane) *playView {
	if l == ledger.Virtual || !isTerminal(p.err) {
		return &playView{}
	}
	last := 0
	for i := range t.Lines {
		last = t.Lines[i].N
	}
	return &playView{p: p, lines: last}
}

func (v *playView) event(e player.Event) {
	if v.p == nil {
		return
	}
	v.shown = true
	_, _ = fmt.Fprintf(v.p.err, "\r\x1b[K+%s line %d of %d", tape.Duration(e.At.Round(100*time.Millisecond)), e.Line, v.lines)
}

// clear takes the progress away.
func (v *playView) clear() {
	if v.shown {
		_, _ = fmt.Fprint(v.p.err, "\r\x1b[K")
	}
}

// told tells what came of a tape; of several that are as they say, in one line
// each.
func (p *program) told(tr *player.Transcript, f playFlags, several bool) error {
	if f.svg != "" {
		var b bytes.Buffer
		if err := diagram.SVG(&b, tr.Diagram()); err != nil {
			return err
		}
		if err := os.WriteFile(f.svg, b.Bytes(), 0o600); err != nil {
			return fmt.Errorf("write the diagram: %w", err)
		}
	}
	switch {
	case p.json:
		return writeJSON(p.out, tr)
	case f.diagram:
		if err := diagram.Text(p.out, tr.Diagram()); err != nil {
			return err
		}
		_, err := fmt.Fprintf(p.out, "\n%s\n", tr.Verdict())
		return err
	case several && tr.OK():
		_, err := fmt.Fprintln(p.out, tr.Verdict())
		return err
	}
	return tr.WriteText(p.out)
}
