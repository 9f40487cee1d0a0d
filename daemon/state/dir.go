package state

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ErrLocked is in the error of Open when another omw owns the directory.
var ErrLocked = errors.New("another omw runs on it")

// Dir is a config directory that this process owns until Close. Its methods are
// safe for concurrent use but for SaveBindings, whose callers take turns.
type Dir struct {
	path     string
	log      *slog.Logger
	root     *os.Root
	lock     *os.File
	token    atomic.Pointer[string]
	turn     chan struct{} // holds one value; who has it may rotate
	bindings map[string]protocol.Browser
}

// Open takes the config directory dir, which it creates with mode 0700 if it
// does not exist (AUTH-16), and loads what it holds. A log of nil keeps silent.
//
// Nothing is written before the directory's lock is held; an error that wraps
// ErrLocked says that another process has it. Then
//   - a directory or file that others may use is tightened with a warning, a
//     directory only if it is ours and either empty or holds our config.json,
//   - temporary files that a crash left are removed,
//   - config.json is read, or made with a new token where there is none; one that
//     cannot be parsed is an error that names it and stays as it is,
//   - bindings.json is read; one that cannot be used is renamed to
//     bindings.json.broken-N with a warning, and there are no bindings.
//
// The caller must Close the Dir.
func Open(dir string, log *slog.Logger) (*Dir, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	path, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolve config directory: %w", err)
	}
	if err := makeDir(path); err != nil {
		return nil, fmt.Errorf("create config directory: %w", err)
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, fmt.Errorf("open config directory: %w", err)
	}
	d := &Dir{path: path, log: log, root: root, turn: make(chan struct{}, 1)}
	d.turn <- struct{}{}
	if err := d.load(); err != nil {
		_ = d.Close()
		return nil, err
	}
	return d, nil
}

func (d *Dir) load() (err error) {
	if d.lock, err = lock(d.root); err != nil {
		return fmt.Errorf("config directory %s is not free: %w", d.path, err)
	}
	token, configErr := readConfig(d.root)
	fresh := errors.Is(configErr, fs.ErrNotExist)
	if err := d.keepPrivate(configErr == nil); err != nil {
		return err
	}
	if err := removeDrafts(d.root); err != nil {
		return fmt.Errorf("remove left-over temporary files from %s: %w", d.path, err)
	}
	switch {
	case fresh:
		if token, err = d.publishToken(); err != nil {
			return err
		}
	case configErr != nil:
		return fmt.Errorf("read %s: %w", filepath.Join(d.path, configName), configErr)
	}
	d.token.Store(&token)
	d.bindings, err = d.loadBindings()
	return err
}

// Path returns the directory's absolute path.
func (d *Dir) Path() string { return d.path }

// Token returns the current token.
func (d *Dir) Token() string { return *d.token.Load() }

// Rotate makes a new token, publishes it in config.json and then returns it.
// After an error the old one holds.
func (d *Dir) Rotate() (string, error) {
	<-d.turn
	defer func() { d.turn <- struct{}{} }()
	token, err := d.publishToken()
	if err != nil {
		return "", err
	}
	d.token.Store(&token)
	return token, nil
}

// Bindings returns the bindings as they were when the directory was opened. The
// map is the caller's.
func (d *Dir) Bindings() map[string]protocol.Browser {
	if d.bindings == nil {
		return map[string]protocol.Browser{}
	}
	return maps.Clone(d.bindings)
}

// Close gives the directory up. It may be called again, to no effect.
func (d *Dir) Close() error {
	err := d.root.Close()
	if d.lock != nil {
		err = errors.Join(err, unlock(d.lock))
		d.lock = nil
	}
	if err != nil {
		return fmt.Errorf("close config directory: %w", err)
	}
	return nil
}

// publish replaces a file of the directory. Once the new file is in its place
// there is no way back, so that a directory that cannot be synced after it is
// worth a warning alone.
func (d *Dir) publish(name string, data []byte) error {
	placed, err := replace(d.root, name, data)
	switch {
	case err == nil:
		return nil
	case placed:
		d.log.Warn("a file was written but may not outlive a power failure", "file", filepath.Join(d.path, name), "err", err)
		return nil
	}
	return fmt.Errorf("write %s: %w", filepath.Join(d.path, name), err)
}
