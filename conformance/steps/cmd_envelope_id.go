package steps

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerIDs adds the sentences about the ids of requests:
//
//	the agent sends a click with an id of 128 characters
//	it is answered with an id                    a good one, by the daemon
//	A is answered with its own id                the one that it was sent with
//	each answer carries the id of its request    of the rows of a table
//	1000 clicks without an id are answered
//	no two have the same id                      nor do the ids count upwards
func registerIDs(sc sentences, e *envelopes) {
	sc.Then(`^each answer carries the id of its request$`, e.haveSentIDs)
	sc.When(`^the agent sends a click with an id of ([0-9]+) characters$`, e.sendsLongID)
	sc.Then(`^(`+oneName+`) is answered with an id$`, e.hasID)
	sc.Then(`^(`+oneName+`) is answered with its own id$`, e.hasSentID)
	sc.When(`^([0-9]+) clicks without an id are answered$`, e.sendsWithoutIDs)
	sc.Then(`^no two have the same id$`, e.idsDiffer)
}

func (e *envelopes) sendsLongID(ctx context.Context, size int) error {
	return e.agentSends(ctx, `a click with the id "`+strings.Repeat("i", size)+`"`)
}

// isOver returns a command that has its answer, ok or not.
func (e *envelopes) isOver(ctx context.Context, who string) (*command, error) {
	all, err := e.over(ctx, who)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

func (e *envelopes) hasID(ctx context.Context, who string) error {
	c, err := e.isOver(ctx, who)
	if err != nil {
		return err
	}
	return e.isID(c.answer.ID)
}

// isID requires an id that a request may have.
func (e *envelopes) isID(id string) error {
	if err := protocol.CheckID(id, protocol.DefaultLimits()); err != nil {
		return e.w.Fail("no-id", "the answer carries the id %q: it %s", id, err)
	}
	return nil
}

func (e *envelopes) hasSentID(ctx context.Context, who string) error {
	c, err := e.isOver(ctx, who)
	if err != nil {
		return err
	}
	return e.carries(c)
}

func (e *envelopes) haveSentIDs() error {
	all, err := e.finished()
	if err != nil {
		return err
	}
	for _, r := range all {
		if err := e.carries(r.command); err != nil {
			return err
		}
	}
	return nil
}

// carries requires that the answer of c has the id that c was sent with.
func (e *envelopes) carries(c *command) error {
	want, err := sessionName(c.id)
	if err != nil {
		return err
	}
	if c.answer.ID != want {
		return e.w.Fail("another-id", "%s was sent with the id %q, and its answer carries %q", c, want, c.answer.ID)
	}
	return nil
}

// atOnce is how many of the commands without an id are under way at a time.
const atOnce = 16

// sendsWithoutIDs sends that many commands, some of them at a time.
func (e *envelopes) sendsWithoutIDs(ctx context.Context, count int) error {
	a, err := e.agent(ctx)
	if err != nil {
		return err
	}
	e.ids = make([]string, count)
	failed := make([]error, atOnce)
	var under sync.WaitGroup
	for lane := range atOnce {
		// A session of its own keeps each from waiting for the others.
		sp := spec{action: "click", session: strconv.Quote(fmt.Sprintf("lane-%d", lane)), timeout: usualTimeout, saysID: true}
		under.Go(func() {
			for i := lane; i < count && failed[lane] == nil; i += atOnce {
				e.ids[i], failed[lane] = e.without(ctx, a, sp)
			}
		})
	}
	under.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return nil
}

// without sends a command without an id and returns the one that its answer has.
func (e *envelopes) without(ctx context.Context, a *sim.Agent, sp spec) (string, error) {
	c := e.newCommand(sp, behaviour{})
	close(c.over) // nobody waits for it by its name
	e.w.Honesty.Asked(c.mark)
	resp, err := a.Send(ctx, sim.Post("/command", c.body(c.mark)))
	if err != nil {
		return "", fmt.Errorf("send a click without an id: %w", err)
	}
	answer, err := sim.ParseAnswer(resp)
	if err != nil {
		return "", err
	}
	e.w.Honesty.Answered(c.mark, answerOf(answer))
	if !answer.OK {
		return "", fmt.Errorf("a click without an id was answered %d %s: %s", answer.Status, answer.Code, answer.Message)
	}
	return answer.ID, nil
}

// idsDiffer requires good ids that differ and do not count upwards, since an id
// that can be foretold is not random.
func (e *envelopes) idsDiffer() error {
	seen := map[string]int{}
	for i, id := range e.ids {
		if err := e.isID(id); err != nil {
			return err
		}
		if before, ok := seen[id]; ok {
			return e.w.Fail("same-id", "the answers %d and %d carry the same id %q", before+1, i+1, id)
		}
		seen[id] = i
	}
	// Those of one lane were asked for one after the other.
	var lane []string
	for i := 0; i < len(e.ids); i += atOnce {
		lane = append(lane, e.ids[i])
	}
	if slices.IsSortedFunc(lane, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) }) {
		return e.w.Fail("counted", "the ids count upwards: %.200q", lane)
	}
	return nil
}
