package target

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"
)

// Exec returns the target of a file with a start: each daemon is a child
// process with a port, a home, a temporary and a configuration directory of
// its own.
func Exec(f *File) (Target, error) {
	if f.Start == nil {
		return nil, fmt.Errorf("the target file of %s has no start; use it as url:FILE", f.Name)
	}
	return &execTarget{f}, nil
}

type execTarget struct{ file *File }

func (t *execTarget) Info() Info {
	return Info{Kind: "exec", Name: t.file.Name, Strict: t.file.Strict, Source: t.file.source()}
}

func (t *execTarget) Start(ctx context.Context, setup Setup) (Instance, error) {
	config, err := configDir(&setup)
	if err != nil {
		return nil, err
	}
	for try := 1; ; try++ {
		i := &process{file: t.file, setup: setup, config: config}
		i.logs = newTail(logSize, i.heard)
		err := i.Start(ctx)
		if err == nil {
			return i, nil
		}
		if try == starts || setup.Addr != "" || setup.DefaultAddr || !portTaken(err) {
			return nil, err
		}
	}
}

// starts is how often a daemon is started whose port was taken by somebody
// else between its choice and its use.
const starts = 3

func portTaken(err error) bool {
	failed, ok := errors.AsType[*StartError](err)
	return ok && failed.Exited && strings.Contains(strings.ToLower(failed.Output), "address already in use")
}

// command returns the daemon's command line and environment.
func (i *process) command() (args, env []string, err error) {
	start := i.file.Start
	parts := append([]string(nil), start.Command...)
	if !i.setup.DefaultAddr {
		parts = append(parts, start.AddrArgs...)
	}
	for _, part := range parts {
		args = append(args, i.expand(part))
	}
	args = append(args, i.setup.Args...)
	for _, name := range []string{"home", "tmp"} {
		if err := os.MkdirAll(i.setup.Scratch+"/"+name, 0o700); err != nil {
			return nil, nil, fmt.Errorf("make the daemon's home: %w", err)
		}
	}
	env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + i.setup.Scratch + "/home", "TMPDIR=" + i.setup.Scratch + "/tmp"}
	for name, value := range start.Env {
		env = append(env, name+"="+i.expand(value))
	}
	env = append(env, i.setup.Env...)
	if i.setup.Umask != nil {
		// Go cannot set a child's umask, a shell can.
		args = append([]string{"/bin/sh", "-c", fmt.Sprintf(`umask %03o; exec "$@"`, *i.setup.Umask), "sh"}, args...)
	}
	return args, env, nil
}

func (i *process) expand(s string) string {
	host, port, _ := net.SplitHostPort(i.want)
	return i.file.expand(s, map[string]string{
		"addr": i.want, "host": host, "port": port, "config": i.config, "scratch": i.setup.Scratch,
	})
}

func (i *process) readyTime() time.Duration {
	return milliseconds(i.file.Start.Ready.TimeoutMS, 10*time.Second)
}

func milliseconds(n int, or time.Duration) time.Duration {
	if n > 0 {
		return time.Duration(n) * time.Millisecond
	}
	return or
}
