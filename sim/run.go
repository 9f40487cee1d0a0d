package sim

import (
	"context"
	"errors"
	"time"

	"github.com/coder/websocket"
)

// Run connects and, whenever the connection ends or cannot be made, connects
// again after the back-off (LIFE-04), until ctx ends or the Browser is closed.
// It leaves with close code 1001 and returns why it ended.
func (b *Browser) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(b.stop, func() { cancel(ErrClosed) })
	defer stop()

	began := time.Now()
	wait := NewBackoff(b.profile.Limits.BackoffMin, b.profile.Limits.BackoffMax, b.cfg.Seed)
	for {
		// A connection that somebody else made is as good.
		if err := b.Connect(ctx); err == nil || errors.Is(err, ErrConnected) && b.Connected() {
			wait.Reset()
			if !b.serve(ctx) {
				return context.Cause(ctx)
			}
		}
		delay := wait.Next()
		stopped := b.isSuspended()
		if stopped {
			// A stopped background has no timers: its alarm starts it afresh.
			wait.Reset()
			delay = untilAlarm(time.Since(began), b.profile.Alarm)
		}
		if !sleep(ctx, delay) {
			return context.Cause(ctx)
		}
		if stopped {
			b.wake()
		}
	}
}

// serve returns true when the connection has ended, and false when ctx has.
func (b *Browser) serve(ctx context.Context) bool {
	l := b.current()
	select {
	case <-l.done:
		return ctx.Err() == nil
	case <-ctx.Done():
		l.out.put(closeItem(int(websocket.StatusGoingAway), "", errLeft))
		l.dropAfter(closeWait, errLeft)
		<-l.done
		return false
	}
}

// untilAlarm returns how long it is to the next alarm, since past its start.
func untilAlarm(since, period time.Duration) time.Duration {
	if period <= 0 {
		return 0
	}
	return period - since%period
}

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

// Suspend stops the background, as a browser does with one that is idle: the
// socket goes as the profile says, what waited or ran is forgotten, sessions
// and tabs stay. Run connects again at the next alarm, Connect at once.
func (b *Browser) Suspend() {
	b.mu.Lock()
	l := b.link
	b.suspended = true
	b.mu.Unlock()
	if l == nil || !l.alive() {
		return
	}
	if code := b.profile.SuspendCode; code != 0 {
		l.out.put(closeItem(code, "", errLeft))
		l.dropAfter(closeWait, errLeft)
	} else {
		l.drop(errLeft)
	}
	<-l.done
}

// wake says that the background runs again: what fails from here on is tried
// again by its own timers.
func (b *Browser) wake() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.suspended = false
}

func (b *Browser) isSuspended() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.suspended
}
