package steps

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func registerWatch(sc sentences, c *config) {
	sc.Given(`^somebody watches the config directory$`, c.watchRunning)
	sc.Given(`^somebody has opened config\.json$`, c.open)
	sc.When(`^the token is rotated$`, c.rotate)
	sc.When(`^the token is rotated (\d+) times$`, c.rotateTimes)
	sc.Then(`^they read the token of before$`, c.readsFirst)
	sc.Then(`^they have always seen a whole config\.json of the mode 0600$`, c.sawWhole)
	sc.Then(`^they have seen no other file that others may read$`, func() error { return c.saw("wider") })
	sc.Then(`^nobody else could ever look into it$`, func() error { return c.saw("dir-wider") })
	sc.Then(`^nobody else could ever read what it is made of$`, func() error { return c.saw("wider") })
}

// watch looks at a config directory again and again, and keeps the first thing
// of each kind that it should not have seen.
type watch struct {
	dir  string
	rest func()

	over   atomic.Bool
	looks  atomic.Int64
	ended  sync.WaitGroup
	mu     sync.Mutex
	faults map[string]string
	// there says that config.json was seen once.
	there bool
}

// beginWatch watches until the scenario's end, or until it is judged.
func (c *config) beginWatch(dir string) {
	w := &watch{dir: dir, faults: make(map[string]string), rest: runtime.Gosched}
	if !c.w.Clock.Exact() {
		// In a bubble a pause would end only when nothing else goes on.
		w.rest = func() { time.Sleep(20 * time.Microsecond) }
	}
	c.watch = w
	w.ended.Go(func() {
		for !w.over.Load() {
			w.look()
			w.looks.Add(1)
			w.rest()
		}
	})
	c.w.Cleanup(func() error {
		w.end()
		return nil
	})
}

func (w *watch) end() {
	w.over.Store(true)
	w.ended.Wait()
}

func (w *watch) fault(check, format string, a ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.faults[check] == "" {
		w.faults[check] = fmt.Sprintf(format, a...)
	}
}

func (w *watch) look() {
	info, err := os.Stat(w.dir)
	if err != nil {
		return
	}
	if m := info.Mode().Perm(); m&0o077 != 0 {
		w.fault("dir-wider", "the config directory had the mode %04o for a moment", m)
	}
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		// What is gone again was replaced or renamed.
		if info, err := os.Lstat(filepath.Join(w.dir, e.Name())); err == nil && info.Mode().Perm()&0o077 != 0 {
			w.fault("wider", "%s had the mode %04o for a moment", e.Name(), info.Mode().Perm())
		}
	}
	w.lookAtConfig()
}

func (w *watch) lookAtConfig() {
	path := filepath.Join(w.dir, configName)
	f, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		if w.there {
			w.fault("missing", "config.json was missing for a moment")
		}
		return
	}
	if err != nil {
		return
	}
	defer func() { _ = f.Close() }()
	w.there = true
	if info, err := f.Stat(); err == nil && info.Mode().Perm() != 0o600 {
		w.fault("config-mode", "config.json had the mode %04o for a moment", info.Mode().Perm())
	}
	text, err := io.ReadAll(f)
	if err == nil {
		_, err = tokenIn(text)
	}
	if err != nil {
		w.fault("partial", "config.json was not whole for a moment: %v", err)
	}
}

func (c *config) watchRunning(ctx context.Context) error {
	if err := c.start(ctx); err != nil {
		return err
	}
	c.beginWatch(c.dir)
	return nil
}

// saw judges what was seen of those kinds.
func (c *config) saw(checks ...string) error {
	if c.watch == nil {
		return errors.New("nobody watches")
	}
	c.watch.end()
	if c.watch.looks.Load() == 0 {
		return errors.New("nobody looked")
	}
	for _, check := range checks {
		if seen := c.watch.faults[check]; seen != "" {
			return c.w.Fail(check, "%s", seen)
		}
	}
	return nil
}

func (c *config) sawWhole() error { return c.saw("missing", "partial", "config-mode") }

func (c *config) rotateTimes(ctx context.Context, n int) error {
	for range n {
		if err := c.rotate(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (c *config) open(context.Context) error {
	f, err := os.Open(c.file())
	if err != nil {
		return fmt.Errorf("open config.json: %w", err)
	}
	c.opened = f
	c.w.Cleanup(f.Close)
	return nil
}

func (c *config) readsFirst() error {
	text, err := io.ReadAll(c.opened)
	if err != nil {
		return fmt.Errorf("read config.json: %w", err)
	}
	token, err := tokenIn(text)
	if err != nil || token != c.first {
		return c.w.Fail("in-place", "who had opened config.json before it was replaced does not read the old one (%v)", err)
	}
	return nil
}
