package extension

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// registerTapes adds the sentences about tapes (KIT-08): what a tape has a
// simulated browser do is judged at the daemon's end of the wire.
//
//	the daemon will send a click A after 2s      counted from the tape's beginning
//	the simulator plays the tape                 which stands below, as a text block
//	everything was as the tape says
//	line 5 of the tape was not as it says        the first one that fails
//	line 3 of the tape has a fault               the first one of all
//	the tape is the same when it was written and read again
func registerTapes(sc Sentences, s *simulator) {
	p := &tapes{simulator: s}
	sc.Given(`^the daemon will send (`+orderPhrase+`) after (\S+)$`, p.willSend)
	sc.When(`^the simulator plays the tape$`, p.plays)
	sc.Then(`^everything was as the tape says$`, func() error { return p.failed(0) })
	sc.Then(`^line ([0-9]+) of the tape was not as it says$`, p.failed)
	sc.Then(`^line ([0-9]+) of the tape has a fault$`, p.faulty)
	sc.Then(`^the tape is the same when it was written and read again$`, p.same)
	registerRecordings(sc, p)
}

// tapes is what the sentences about tapes share.
type tapes struct {
	*simulator
	later []cue
	tape  *tape.Tape
	// wrong is what is wrong with the tape, transcript what came of playing it.
	wrong      *tape.Error
	transcript *player.Transcript
}

// cue is a command that the daemon sends when a tape has run for so long.
type cue struct {
	order command
	after time.Duration
}

const doesTape = "does what its tape says, at the time that it says, and tells which line was not so"

func (p *tapes) willSend(ctx context.Context, text, after string) error {
	d, err := words.Duration(after)
	if err != nil {
		return err
	}
	o, names, err := p.order(ctx, text)
	if err != nil {
		return err
	}
	for _, o.name = range names {
		p.later = append(p.later, cue{o, d})
	}
	return nil
}

func (p *tapes) plays(ctx context.Context, text *godog.DocString) error {
	t, err := tape.Parse("tape", []byte(text.Content+"\n"))
	if wrong, ok := errors.AsType[*tape.Error](err); ok {
		p.wrong = wrong
		return nil
	}
	if err != nil {
		return err
	}
	p.tape = t
	return p.perform(ctx, t)
}

// perform plays a tape before the daemon that the suite plays, which sends its
// commands meanwhile.
func (p *tapes) perform(ctx context.Context, t *tape.Tape) error {
	d, err := p.daemon(ctx)
	if err != nil {
		return err
	}
	// A tape has browsers of its own, whichever the target is.
	if kind := p.w.Target().Kind; kind != "sim" {
		return p.w.Unobservable("tapes have simulated browsers, and the target is of the kind %s", kind)
	}
	var sending sync.WaitGroup
	var sent sync.Mutex
	var missed error
	for _, l := range p.later {
		sending.Go(func() {
			// At the very instant of a line a command would come before or after it.
			if !sleep(ctx, l.after) {
				return
			}
			sent.Lock()
			defer sent.Unlock()
			link, err := p.link()
			if err != nil {
				missed = err
				return
			}
			p.send(link, &l.order)
		})
	}
	seed := p.w.Seed
	p.transcript, err = player.Perform(ctx, t, player.Stage{Clock: p.w.Clock, Daemon: stood{x: p.ext, addr: d.Addr()}, Seed: &seed})
	sending.Wait()
	return errors.Join(err, missed)
}

// sleep waits; false if ctx ended first.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// stood is the daemon that the suite plays, as a tape's. A tape can do nothing
// to it, and a player asks nothing else of an instance.
type stood struct {
	target.Instance
	x    *ext
	addr string
}

func (s stood) Addr() string { return s.addr }

func (s stood) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return s.x.w.Dial(ctx, network, addr)
}

func (s stood) Token(context.Context) (string, error) { return s.x.token, nil }

func (s stood) Start(context.Context) error { return target.Hidden("the suite plays the daemon") }

func (s stood) Stop(context.Context) error { return target.Hidden("the suite plays the daemon") }

func (s stood) Kill(context.Context) error { return target.Hidden("the suite plays the daemon") }

// failed compares the line that failed with the one that is to: 0 is none.
func (p *tapes) failed(want int) error {
	if p.transcript == nil {
		return p.fail("unplayed", doesTape, "the tape was not played: %v", p.wrong)
	}
	got := 0
	if c := p.transcript.Failed(); c != nil {
		got = c.Line
	}
	if got != want || want == 0 && !p.transcript.OK() {
		return p.fail("line", doesTape, "%s; want line %d to fail, where 0 is none", p.transcript.Verdict(), want)
	}
	return nil
}

func (p *tapes) faulty(want int) error {
	if p.wrong == nil || p.wrong.Faults[0].Line != want {
		return p.fail("fault", "is refused as a whole, and each fault told with its line", "what is wrong with the tape is: %v; want a fault in line %d first", p.wrong, want)
	}
	return nil
}

func (p *tapes) same() error {
	if p.tape == nil {
		return p.fail("unplayed", doesTape, "it is no tape: %v", p.wrong)
	}
	written := p.tape.Format()
	again, err := tape.Parse("tape", written)
	if err != nil {
		return p.fail("written", "reads what it writes", "what was written is no tape: %s", err)
	}
	if got := again.Format(); string(got) != string(written) || len(again.Lines) != len(p.tape.Lines) {
		return p.fail("written", "reads what it writes", "the tape was %q when it was written, and %q the second time", written, got)
	}
	for i, l := range again.Lines {
		if before := p.tape.Lines[i]; l.String() != before.String() || l.Comment != before.Comment {
			return p.fail("written", "reads what it writes", "line %d was %q, and is %q", before.N, before, l)
		}
	}
	return nil
}
