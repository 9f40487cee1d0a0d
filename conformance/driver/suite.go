package driver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
)

// maxLine is the longest line that a client may answer with.
const maxLine = 1 << 20

// ErrEnded is the error of a client that has closed its standard output.
var ErrEnded = errors.New("the client ended")

// Driver is the suite's end of the contract. Its methods may be called by
// several goroutines.
type Driver struct {
	in io.WriteCloser

	writing sync.Mutex

	mu      sync.Mutex
	started chan Started
	waiting map[int]chan Done
	next    int
	err     error
	over    chan struct{}
}

// New returns a Driver that writes to the client's standard input and reads its
// standard output, until that ends. Who made them closes out; Stop closes in.
func New(in io.WriteCloser, out io.Reader) *Driver {
	d := &Driver{in: in, started: make(chan Started, 1), waiting: map[int]chan Done{}, over: make(chan struct{})}
	go d.read(out)
	return d
}

// Over is closed when the client's standard output has ended, or when it has
// said what the contract does not know.
func (d *Driver) Over() <-chan struct{} { return d.over }

// Err says why Over is closed.
func (d *Driver) Err() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.err
}

// Start tells the client where the daemon is and waits for it.
func (d *Driver) Start(ctx context.Context, url, token string) (Started, error) {
	if err := d.write(Start{Cmd: cmdStart, Version: Version, URL: url, Token: token}); err != nil {
		return Started{}, err
	}
	select {
	case s := <-d.started:
		return s, nil
	case <-d.over:
		return Started{}, fmt.Errorf("wait until the client has started: %w", d.Err())
	case <-ctx.Done():
		return Started{}, fmt.Errorf("wait until the client has started: %w", context.Cause(ctx))
	}
}

// Do asks the client for a command and returns the channel on which it will say
// what came of it, and which is closed without that if the client ends. N and
// Cmd are filled in.
func (d *Driver) Do(do Do) (<-chan Done, error) {
	done := make(chan Done, 1)
	d.mu.Lock()
	if d.err != nil {
		d.mu.Unlock()
		return nil, d.err
	}
	d.next++
	do.Cmd, do.N = cmdDo, d.next
	d.waiting[do.N] = done
	d.mu.Unlock()
	if err := d.write(do); err != nil {
		return nil, err
	}
	return done, nil
}

// Stop tells the client to end and closes its standard input.
func (d *Driver) Stop() error {
	err := d.write(Stop{Cmd: cmdStop})
	if closed := d.in.Close(); err == nil {
		err = closed
	}
	return err
}

func (d *Driver) write(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write to the client: %w", err)
	}
	d.writing.Lock()
	defer d.writing.Unlock()
	if _, err := d.in.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("write to the client: %w", err)
	}
	return nil
}

func (d *Driver) read(out io.Reader) {
	// What it writes on must not make it wait.
	defer func() { _, _ = io.Copy(io.Discard, out) }()
	lines := bufio.NewScanner(out)
	lines.Buffer(make([]byte, 0, 4<<10), maxLine)
	err := ErrEnded
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		if err := d.hear(lines.Bytes()); err != nil {
			d.end(fmt.Errorf("line %d of the client's standard output: %w", n, err))
			return
		}
	}
	if lines.Err() != nil {
		err = fmt.Errorf("read the client's standard output: %w", lines.Err())
	}
	d.end(err)
}

// hear acts on one line.
func (d *Driver) hear(line []byte) error {
	var kind struct {
		Cmd string `json:"cmd"`
	}
	if err := json.Unmarshal(line, &kind); err != nil {
		return fmt.Errorf("it is no JSON object: %w", err)
	}
	switch kind.Cmd {
	case cmdStarted:
		var s Started
		if err := json.Unmarshal(line, &s); err != nil {
			return err
		}
		select {
		case d.started <- s:
			return nil
		default:
			return errors.New("it says started twice")
		}
	case cmdDone:
		var done Done
		if err := json.Unmarshal(line, &done); err != nil {
			return err
		}
		return d.done(done)
	}
	return fmt.Errorf("%q is none of started, done", kind.Cmd)
}

func (d *Driver) done(done Done) error {
	switch done.Outcome {
	case OK, Error, Unknown:
	default:
		return fmt.Errorf("the outcome %q is none of ok, error, unknown", done.Outcome)
	}
	d.mu.Lock()
	waiting := d.waiting[done.N]
	delete(d.waiting, done.N)
	d.mu.Unlock()
	if waiting == nil {
		return fmt.Errorf("it says done of %d, which was not asked or is done already", done.N)
	}
	waiting <- done
	close(waiting)
	return nil
}

// end says that nothing more comes.
func (d *Driver) end(why error) {
	d.mu.Lock()
	d.err = why
	waiting := d.waiting
	d.waiting = map[int]chan Done{}
	d.mu.Unlock()
	for _, done := range waiting {
		close(done)
	}
	close(d.over)
}
