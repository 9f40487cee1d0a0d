package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/driver"
)

// ClientExec is a client as a child process.
type ClientExec struct {
	NoDaemon

	// Args are its command line.
	Args []string
}

const (
	// clientStart is how long a client may take to start, clientStop to end.
	clientStart = 20 * time.Second
	clientStop  = 5 * time.Second
)

// ExecClient returns the client of a command line, whose parts are separated by
// blanks; a client whose command line needs a blank in a part is started by a
// script of its own.
func ExecClient(commandLine string) (*ClientExec, error) {
	args := strings.Fields(commandLine)
	if len(args) == 0 {
		return nil, errors.New("it names no command; write exec:CMD, as exec:python3 driver.py")
	}
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, fmt.Errorf("find the client's command: %w", err)
	}
	args[0] = path
	return &ClientExec{Args: args}, nil
}

// Info describes the target.
func (t *ClientExec) Info() Info { return Info{Kind: "exec", Name: strings.Join(t.Args, " ")} }

// Launch starts the client.
func (t *ClientExec) Launch(ctx context.Context, setup ClientSetup) (Driven, error) {
	env, err := clientEnv(setup.Scratch)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(t.Args[0], t.Args[1:]...)
	c := &execClient{cmd: cmd, logs: newTail(logSize, nil), ended: make(chan struct{})}
	cmd.Env, cmd.Stderr = env, c.logs
	// A child of the client may keep its output open; that must not keep us.
	cmd.WaitDelay = time.Second
	ownGroup(cmd)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start the client: %w", err)
	}
	stdout, out := io.Pipe()
	cmd.Stdout = out
	if err := cmd.Start(); err != nil {
		return nil, &StartError{Reason: err.Error()}
	}
	c.Driver = driver.New(stdin, stdout)
	go func() {
		// How it ended stands in cmd.ProcessState.
		_ = cmd.Wait()
		_ = out.Close()
		close(c.ended)
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, clientStart, fmt.Errorf("it said nothing within %s", clientStart))
	defer cancel()
	if _, err := c.Start(ctx, setup.URL, setup.Token); err != nil {
		c.kill()
		return nil, c.notUp(err)
	}
	return c, nil
}

// clientEnv is the environment of a client: the suite's, with a home and a
// temporary directory of its own, so that it finds nobody's token there.
func clientEnv(scratch string) ([]string, error) {
	own := map[string]string{"HOME": scratch + "/home", "TMPDIR": scratch + "/tmp", "XDG_CONFIG_HOME": scratch + "/home/.config"}
	var env []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if own[name] == "" && !strings.HasPrefix(name, "OMW_") {
			env = append(env, v)
		}
	}
	for name, dir := range own {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("make the client's home: %w", err)
		}
		env = append(env, name+"="+dir)
	}
	return env, nil
}

type execClient struct {
	*driver.Driver
	cmd   *exec.Cmd
	logs  *tail
	ended chan struct{}

	mu    sync.Mutex
	asked bool
}

func (c *execClient) notUp(err error) error {
	e := &StartError{Reason: err.Error(), Output: c.logs.last(outputSize)}
	if s := c.cmd.ProcessState; s != nil && s.Exited() {
		e.Exited, e.Status = true, s.ExitCode()
	}
	return e
}

func (c *execClient) kill() {
	c.mu.Lock()
	c.asked = true
	c.mu.Unlock()
	killGroup(c.cmd)
	<-c.ended
}

func (c *execClient) Died() error {
	c.mu.Lock()
	asked := c.asked
	c.mu.Unlock()
	if asked {
		return nil
	}
	select {
	case <-c.Over():
		return fmt.Errorf("the client ended by itself, or broke the contract: %w", c.Err())
	default:
		return nil
	}
}

func (c *execClient) Logs() (string, error) { return c.logs.String(), nil }

func (c *execClient) Release(ctx context.Context) error {
	c.mu.Lock()
	c.asked = true
	c.mu.Unlock()
	_ = c.Stop()
	patience := time.NewTimer(clientStop)
	defer patience.Stop()
	var err error
	select {
	case <-c.ended:
	case <-patience.C:
		err = fmt.Errorf("the client did not end within %s after it was told to stop, and was killed", clientStop)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	// What it started and left behind ends with it.
	c.kill()
	return err
}
