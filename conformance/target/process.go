package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
)

// process is an instance whose daemon is a child process.
type process struct {
	file   *File
	setup  Setup
	config string
	logs   *tail

	mu sync.Mutex
	// want is the address that the daemon is told, addr the one it listens at.
	want, addr string
	cmd        *exec.Cmd
	ended      chan struct{}
	asked      bool
	ready      chan string
	// kept are commands of Sources that go on running.
	kept []*exec.Cmd
}

// end kills the daemon and what it started, and waits.
func (i *process) end() {
	i.mu.Lock()
	cmd, ended := i.cmd, i.ended
	i.asked = true
	i.mu.Unlock()
	killGroup(cmd)
	<-ended
}

func (i *process) Addr() string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.addr
}

func (i *process) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	return i.setup.Network.Dial(ctx, "tcp", i.Addr())
}

func (i *process) Signal(sig os.Signal) error {
	i.mu.Lock()
	i.asked = true
	p := i.cmd.Process
	i.mu.Unlock()
	if err := p.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("send %s to the daemon: %w", sig, err)
	}
	return nil
}

func (i *process) Wait(ctx context.Context) (int, error) {
	i.mu.Lock()
	cmd, ended := i.cmd, i.ended
	i.mu.Unlock()
	select {
	case <-ended:
		return cmd.ProcessState.ExitCode(), nil
	case <-ctx.Done():
		return 0, fmt.Errorf("wait for the daemon's end: %w", context.Cause(ctx))
	}
}

func (i *process) Stop(ctx context.Context) error {
	i.mu.Lock()
	asked := i.asked
	ended := i.ended
	i.mu.Unlock()
	select {
	case <-ended:
		return nil
	default:
	}
	signal := syscall.SIGTERM
	if i.file.Stop.Signal == "INT" {
		signal = syscall.SIGINT
	}
	if !asked {
		if err := i.Signal(signal); err != nil {
			return err
		}
	}
	patience := milliseconds(i.file.Stop.TimeoutMS, stopTime)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	status, err := i.Wait(ctx)
	if err != nil {
		i.end()
		return fmt.Errorf("stop the daemon: it did not end within %s and was killed", patience)
	}
	if status != 0 && !asked {
		return fmt.Errorf("stop the daemon: it ended with status %d", status)
	}
	return nil
}

func (i *process) Kill(context.Context) error {
	i.end()
	return nil
}

func (i *process) Release(ctx context.Context) error {
	err := i.Stop(ctx)
	// What the daemon left behind in its group ends with it.
	i.end()
	i.mu.Lock()
	kept := i.kept
	i.kept = nil
	i.mu.Unlock()
	for _, cmd := range kept {
		_ = cmd.Process.Kill()
	}
	return err
}

func (i *process) Died() error {
	i.mu.Lock()
	defer i.mu.Unlock()
	select {
	case <-i.ended:
	default:
		return nil
	}
	if i.asked || i.cmd.ProcessState == nil {
		return nil
	}
	return fmt.Errorf("the daemon ended by itself: %s", i.cmd.ProcessState)
}

func (i *process) Pid() (int, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.cmd.Process.Pid, nil
}

func (i *process) Logs() (string, error) { return i.logs.String(), nil }

func (i *process) ConfigDir() (string, error) {
	if i.file.ConfigDir == "" {
		return "", Hidden("the target file of %s names no config_dir", i.file.Name)
	}
	return i.expand(i.file.ConfigDir), nil
}

func (i *process) place() *place {
	return &place{
		config: i.config, expand: i.expand, dial: i.Dial, token: i.Token, output: i.logs.String,
		env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + i.setup.Scratch + "/home", "TMPDIR=" + i.setup.Scratch + "/tmp"},
		keep: func(cmd *exec.Cmd) {
			i.mu.Lock()
			defer i.mu.Unlock()
			i.kept = append(i.kept, cmd)
		},
	}
}

func (i *process) Token(ctx context.Context) (string, error) {
	return i.file.Token.read(ctx, i.place())
}

func (i *process) Code(ctx context.Context) (string, error) {
	if i.file.Code == nil {
		return "", Hidden("the target file of %s does not say how a pairing code is made", i.file.Name)
	}
	return i.file.Code.read(ctx, i.place())
}
