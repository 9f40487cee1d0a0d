package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerBinding(sc sentences, r *route) {
	sc.Given(`^bindings\.json is read when (Chrome|Firefox) receives a command$`, r.readAtReceipt)
	sc.Then(`^it said by then that session "(.*)" is (Chrome|Firefox)'s$`, r.saidByThen)
	sc.Then(`^bindings\.json says that session "(.*)" is (Chrome|Firefox)'s$`, r.fileSays)
	sc.Then(`^bindings\.json does not name session "(.*)"$`, r.fileOmits)
	sc.Given(`^bindings\.json cannot be written$`, r.blockFile)
	sc.When(`^bindings\.json can be written again$`, r.freeFile)
	sc.When(`^the agent sends `+phrase+` and `+phrase+` at once$`, r.sendsTwo)
	sc.Then(`^(`+oneName+`) and (`+oneName+`) have gone to one browser, or one of them nowhere$`, r.goneToOne)
	sc.Then(`^it fails with a definite error, delivered "no"$`, r.failsDefinitely)
}

// bindings are the sessions of bindings.json, as they stood when it was read.
type bindings struct {
	mu       sync.Mutex
	read     bool
	sessions map[string]protocol.Browser
	err      error
}

func (r *route) file(ctx context.Context) (string, error) {
	d, err := r.w.Daemon(ctx)
	if err != nil {
		return "", err
	}
	dir, err := d.ConfigDir()
	return filepath.Join(dir, "bindings.json"), err
}

// readBindings reads the file; one that is not there holds no session.
func readBindings(file string) (map[string]protocol.Browser, error) {
	text, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var content struct {
		Sessions map[string]protocol.Browser `json:"sessions"`
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return nil, fmt.Errorf("read %q: %w", text, err)
	}
	return content.Sessions, nil
}

// onReceipt is a fault that does no harm: it looks when a command arrives.
type onReceipt struct{ look func() }

// Arrive is sim.Arrival's.
func (o onReceipt) Arrive(*sim.Exchange) sim.Verdict {
	o.look()
	return sim.Proceed
}

// Answer is sim.Fault's.
func (onReceipt) Answer(_ *sim.Exchange, frame []byte, next func([]byte)) { next(frame) }

func (r *route) readAtReceipt(ctx context.Context, name string) error {
	b, err := r.of(name)
	if err != nil {
		return err
	}
	file, err := r.file(ctx)
	if err != nil {
		return err
	}
	b.Inject(sim.Rule{Times: 1, Fault: onReceipt{func() {
		sessions, err := readBindings(file)
		r.seen.mu.Lock()
		defer r.seen.mu.Unlock()
		r.seen.read, r.seen.sessions, r.seen.err = true, sessions, err
	}}})
	return nil
}

func (r *route) saidByThen(ctx context.Context, session, name string) error {
	b := &r.seen
	if !r.reached(ctx, func() bool {
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.read
	}) {
		return errors.New("no browser has received a command")
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil || b.sessions[session] != browserNamed(name) {
		return r.w.Fail("saved-late", "when the command arrived bindings.json held %v (%v); want session %q of %s", b.sessions, b.err, session, name)
	}
	return nil
}

func (r *route) fileSays(ctx context.Context, session, name string) error {
	return r.lookAtFile(ctx, "not-in-file", func(held map[string]protocol.Browser) bool { return held[session] == browserNamed(name) },
		"session %q of %s", session, name)
}

func (r *route) fileOmits(ctx context.Context, session string) error {
	return r.lookAtFile(ctx, "left-in-file", func(held map[string]protocol.Browser) bool { return held[session] == "" },
		"no session %q", session)
}

func (r *route) lookAtFile(ctx context.Context, check string, good func(map[string]protocol.Browser) bool, want string, a ...any) error {
	file, err := r.file(ctx)
	if err != nil {
		return err
	}
	var held map[string]protocol.Browser
	if !r.reached(ctx, func() bool {
		held, err = readBindings(file)
		return err == nil && good(held)
	}) {
		return r.w.Fail(check, "bindings.json holds %v (%v); want %s", held, err, fmt.Sprintf(want, a...))
	}
	return nil
}

// blockFile puts a directory in the place of the file, which nobody can replace
// by a file or write into, whoever the daemon runs as.
func (r *route) blockFile(ctx context.Context) error {
	file, err := r.file(ctx)
	if err != nil {
		return err
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("block the file: %w", err)
	}
	return os.MkdirAll(filepath.Join(file, "in the way"), 0o700)
}

func (r *route) freeFile(ctx context.Context) error {
	file, err := r.file(ctx)
	if err != nil {
		return err
	}
	return os.RemoveAll(file)
}

func (r *route) sendsTwo(ctx context.Context, first, second string) error {
	var all []*command
	for _, text := range []string{first, second} {
		sp, err := parsePhrase(text)
		if err != nil {
			return err
		}
		c := r.newCommand(sp, behaviour{})
		if err := r.open(ctx, c, sim.Post("/command", c.body(c.mark))); err != nil {
			return err
		}
		all = append(all, c)
	}
	for _, c := range all {
		r.begin(c)
	}
	r.w.Clock.Settle()
	return nil
}

// goneToOne requires that two commands of one session have not gone apart,
// whichever of them came first.
func (r *route) goneToOne(ctx context.Context, one, other string) error {
	all, err := r.over(ctx, one+" and "+other)
	if err != nil {
		return err
	}
	went := map[protocol.Browser]bool{}
	for _, b := range r.ever {
		for _, st := range b.Received() {
			if slices.Contains(all, r.commandOf(st)) {
				went[b.Profile().Browser] = true
			}
		}
	}
	if len(went) != 1 {
		return r.w.Fail("apart", "the session has gone to %d browsers; %s was told %s, and %s was told %s", len(went), all[0], told(all[0]), all[1], told(all[1]))
	}
	return nil
}

// failsDefinitely is for errors whose code no document fixes: definite, and the
// browser never saw the command.
func (r *route) failsDefinitely(ctx context.Context) error {
	all, err := r.over(ctx, "it")
	if err != nil {
		return err
	}
	c := all[0]
	if code := c.answer.Code; c.answer.OK || !code.Known() || !code.Definite() || c.answer.Delivered != protocol.DeliveredNo {
		return r.w.Fail("not-definite", `%s was told %s; want a definite error, delivered "no"`, c, told(c))
	}
	return nil
}
