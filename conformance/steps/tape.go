package steps

import (
	"context"
	"fmt"

	"github.com/oh-my-webbridge/omw/conformance/player"
	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

func registerTapes(sc sentences, w *world.World) {
	sc.Step(`^tape "([^"]+)"$`, func(ctx context.Context, name string) error { return playTape(ctx, w, name) })
}

// playTape plays an example before the scenario's daemon, in the scenario's time.
// What is not as the tape says breaks the scenario's rule.
func playTape(ctx context.Context, w *world.World, name string) error {
	t, ok := examples.Find(name)
	if !ok {
		return fmt.Errorf("there is no tape %q", name)
	}
	d, err := w.Daemon(ctx)
	if err != nil {
		return err
	}
	seed := w.Seed
	tr, err := player.Perform(ctx, t, player.Stage{Clock: w.Clock, Daemon: d, Seed: &seed, Observe: func(e player.Event) {
		switch {
		case e.To == "":
			w.Transcript.Note(e.From, "%s", e.Text)
		case e.From == "daemon":
			w.Transcript.Received(e.To, []byte(e.Text))
		default:
			w.Transcript.Sent(e.From, []byte(e.Text))
		}
	}})
	if err != nil {
		return err
	}
	if !tr.OK() {
		return w.Fail("tape", "%s", tr.Verdict())
	}
	return nil
}
