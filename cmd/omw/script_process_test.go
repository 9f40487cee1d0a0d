package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// patience is how long a script waits for what must come at once.
const patience = 20 * time.Second

// process is a program that runs beside a script. Its output grows in the files
// NAME.out and NAME.err.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
	code int
}

func (s *scene) process(ts *testscript.TestScript, name string) *process {
	p := s.processes[name]
	if p == nil {
		ts.Fatalf("%s was not started", name)
	}
	return p
}

// start NAME PROGRAM ARGS... starts a program. When the script ends it must end
// within 6 s by SIGTERM.
func start(ts *testscript.TestScript, _ bool, args []string) {
	name := args[0]
	out, err := os.Create(ts.MkAbs(name + ".out"))
	ts.Check(err)
	errs, err := os.Create(ts.MkAbs(name + ".err"))
	ts.Check(err)
	program, err := exec.LookPath(args[1])
	ts.Check(err)
	p := &process{cmd: exec.Command(program, args[2:]...), done: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = ts.MkAbs("."), environ(ts)
	p.cmd.Stdout, p.cmd.Stderr = out, errs
	ts.Check(p.cmd.Start())
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait()
		_, _ = out.Close(), errs.Close()
		p.code = p.cmd.ProcessState.ExitCode()
	}()
	here := sceneOf(ts)
	here.processes[name] = p
	ts.Defer(func() { p.end(here, name) })
}

// end ends a process that the script left, and fails if it does not obey.
func (p *process) end(here *scene, name string) {
	select {
	case <-p.done:
		return
	default:
	}
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(6 * time.Second):
		_ = p.cmd.Process.Kill()
		<-p.done
		here.t.Errorf("%s did not end by SIGTERM", name)
	}
}

func environ(ts *testscript.TestScript) []string {
	var out []string
	for _, name := range []string{"HOME", "PATH", "TMPDIR", "OMW_CONFIG_DIR", "XDG_CONFIG_HOME", "GOCOVERDIR", "GORACE"} {
		if v := ts.Getenv(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}

// await NAME.out|NAME.err REGEXP [VARIABLE] waits until the file matches and puts
// the first group into the variable.
func await(ts *testscript.TestScript, _ bool, args []string) {
	re := regexp.MustCompile("(?m)" + args[1])
	for end := time.Now().Add(patience); ; {
		b, err := os.ReadFile(ts.MkAbs(args[0]))
		ts.Check(err)
		if m := re.FindSubmatch(b); m != nil {
			if len(args) > 2 {
				ts.Setenv(args[2], string(m[1]))
			}
			return
		}
		if time.Now().After(end) {
			ts.Fatalf("%s never matched %s:\n%s", args[0], args[1], b)
		}
		pause()
	}
}

// pause lets other processes run between two looks at them.
func pause() { <-time.After(5 * time.Millisecond) }

// signal NAME TERM|INT|KILL sends a signal.
func signalTo(ts *testscript.TestScript, _ bool, args []string) {
	sig := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "KILL": syscall.SIGKILL}[args[1]]
	ts.Check(sceneOf(ts).process(ts, args[0]).cmd.Process.Signal(sig))
}

// exits NAME CODE [WITHIN] waits until the program has ended with that code; -1
// is the end by a signal.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	within := patience
	if len(args) > 2 {
		var err error
		within, err = time.ParseDuration(args[2])
		ts.Check(err)
	}
	p := sceneOf(ts).process(ts, args[0])
	select {
	case <-p.done:
	case <-time.After(within):
		ts.Fatalf("%s has not ended within %s", args[0], within)
	}
	if strconv.Itoa(p.code) != args[1] {
		ts.Fatalf("%s ended with %d, and not %s\n%s", args[0], p.code, args[1], ts.ReadFile(args[0]+".err"))
	}
}

// serve N FLAGS... starts N daemons at once with these flags. Exactly one must
// live; the others must be gone within 2 s with exit code 1 and say why in one
// line, which the script finds in losers. The one that lives is then ended.
func serveTogether(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	program, err := exec.LookPath("omw")
	ts.Check(err)
	type result struct {
		out, err bytes.Buffer
		cmd      *exec.Cmd
		code     int
		took     time.Duration
	}
	all := make([]*result, n)
	ended := make(chan *result, n)
	begin := time.Now()
	for i := range all {
		r := &result{cmd: exec.Command(program, append([]string{"serve"}, args[1:]...)...)}
		r.cmd.Dir, r.cmd.Env, r.cmd.Stdout, r.cmd.Stderr = ts.MkAbs("."), environ(ts), &r.out, &r.err
		all[i] = r
		ts.Check(r.cmd.Start())
		go func() {
			err := r.cmd.Wait()
			if exit, ok := errors.AsType[*exec.ExitError](err); ok {
				r.code = exit.ExitCode()
			}
			r.took = time.Since(begin)
			ended <- r
		}()
	}
	var losers bytes.Buffer
	gone := map[*result]bool{}
	deadline := time.After(patience)
	for len(gone) < n-1 {
		select {
		case r := <-ended:
			gone[r] = true
			if r.code != exitFailed || strings.Count(r.err.String(), "\n") != 1 || r.out.Len() > 0 {
				ts.Logf("one ended with %d, printed %q and said %q", r.code, &r.out, &r.err)
				defer ts.Fatalf("a daemon that came too late must say so in one line")
			}
			losers.Write(r.err.Bytes())
		case <-deadline:
			ts.Logf("%d of %d have ended", len(gone), n)
			defer ts.Fatalf("more than one lives")
			n = len(gone) + 1
		}
	}
	for _, r := range all {
		if !gone[r] {
			_ = r.cmd.Process.Signal(syscall.SIGTERM)
		}
	}
	for len(gone) < len(all) {
		r := <-ended
		gone[r] = true
		if r.code != 0 || !strings.Contains(r.out.String(), "listens on") {
			defer ts.Fatalf("the last one ended with %d, printed %q and said %q", r.code, &r.out, &r.err)
		}
	}
	ts.Check(os.WriteFile(filepath.Join(ts.MkAbs("."), "losers"), losers.Bytes(), 0o600))
}
