package steps

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

func registerKill(sc sentences, c *config) {
	sc.When(`^the daemon is killed (\d+) times while it rotates the token$`, c.killTimes)
	sc.Then(`^each time config\.json was whole, and held the last token or the next one$`, c.survived)
}

// kill is what a daemon left that was killed.
type kill struct {
	// told are the tokens that it had told, the last one last.
	told []string
	// token is what config.json held, and err what was wrong with it.
	token string
	err   error
}

func (c *config) killTimes(ctx context.Context, n int) error {
	if err := c.start(ctx); err != nil {
		return err
	}
	for range n {
		if err := c.killOnce(ctx); err != nil {
			return err
		}
	}
	return nil
}

// killOnce kills the daemon somewhere in a rotation and starts it again.
func (c *config) killOnce(ctx context.Context) error {
	d, err := c.w.Daemon(ctx)
	if err != nil {
		return err
	}
	rotating, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for c.rotate(rotating) == nil {
		}
	}()
	var pause time.Duration
	c.w.Rand(func(r *rand.Rand) { pause = time.Duration(r.Int64N(int64(30 * time.Millisecond))) })
	err = c.w.Clock.Elapse(ctx, pause)
	err = errors.Join(err, d.Kill(ctx))
	stop()
	<-done
	if err != nil {
		return err
	}
	k := kill{told: append([]string{c.first}, c.tokens...)}
	k.token, k.err = readToken(c.file())
	c.w.Transcript.Secret(k.token)
	c.kills = append(c.kills, k)
	if err := d.Start(ctx); err != nil {
		return c.w.Fail("no-start", "the daemon does not start after it was killed: %v", err)
	}
	if k.err == nil && !slices.Contains(c.tokens, k.token) {
		c.tokens = append(c.tokens, k.token)
	}
	return c.holdsToken(ctx)
}

func (c *config) survived() error {
	for i, k := range c.kills {
		if k.err != nil {
			return c.w.Fail("not-whole", "after kill %d config.json was not whole: %v", i+1, k.err)
		}
		if at := slices.Index(k.told, k.token); at >= 0 && at < len(k.told)-1 {
			return c.w.Fail("older", "after kill %d config.json held a token that had been replaced before", i+1)
		}
	}
	return nil
}
