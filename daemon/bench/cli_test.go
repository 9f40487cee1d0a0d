//go:build linux

package bench

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// BenchmarkEval is what a caller of the command line waits for: omw eval 1+1 as a
// whole process, from its start to its end, against a daemon and a simulated
// browser that run already. Beside it stand what the machine does at all (true)
// and what any process of Go costs. They alternate, so that what else the machine
// does hits all of them; the median counts.
//
//	go test -run '^$' -bench Eval -benchtime 500x ./daemon/bench
func BenchmarkEval(b *testing.B) {
	omw, bare := build(b, "../../cmd/omw"), build(b, "./testdata/bare")
	env := append(os.Environ(), "HOME="+b.TempDir(), "OMW_CONFIG_DIR="+filepath.Join(b.TempDir(), "config"), "OMW_SESSION=")
	_, addr, ok := strings.Cut(background(b, env, omw, "serve", "--addr", "127.0.0.1:0", "--log-level", "error"), "listens on ")
	if !ok {
		b.Fatalf("the daemon does not say where it listens: %s", addr)
	}
	// The first message of the simulated browser is that it has connected.
	background(b, env, omw, "sim", "--addr", addr)
	for {
		out, err := once(env, omw, "status", "--json", "--addr", addr)
		if err != nil {
			b.Fatalf("omw status: %s: %s", err, out)
		}
		if bytes.Contains(out, []byte(`"connected":true`)) {
			break
		}
	}
	if out, err := once(env, omw, "open", "about:blank", "--addr", addr); err != nil {
		b.Fatalf("omw open: %s: %s", err, out)
	}
	all := []struct {
		name string
		args []string
		says string
		took []time.Duration
	}{
		{name: "true", args: []string{"true"}},
		{name: "bare-go", args: []string{bare}},
		{name: "omw-eval", args: []string{omw, "eval", "1+1", "--addr", addr}, says: "2\n"},
	}
	for b.Loop() {
		for i := range all {
			begin := time.Now()
			out, err := once(env, all[i].args[0], all[i].args[1:]...)
			all[i].took = append(all[i].took, time.Since(begin))
			if err != nil || string(out) != all[i].says {
				b.Fatalf("%s: %v: it says %q", all[i].name, err, out)
			}
		}
	}
	b.ReportMetric(0, "ns/op") // one operation of testing is three processes
	for _, p := range all {
		slices.Sort(p.took)
		b.ReportMetric(float64(p.took[len(p.took)/2].Microseconds())/1000, p.name+"-p50-ms")
	}
}

// build builds a program as make build does, and returns where it is.
func build(b *testing.B, pkg string) string {
	b.Helper()
	path := filepath.Join(b.TempDir(), filepath.Base(pkg))
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, pkg)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build %s: %s\n%s", pkg, err, out)
	}
	return path
}

// background starts a program and returns its first line. It ends with the
// benchmark, and with this process however that ends.
func background(b *testing.B, env []string, name string, args ...string) string {
	b.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stderr = env, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewReader(out)
	line, err := lines.ReadString('\n')
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = io.Copy(io.Discard, lines)
	}()
	b.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		<-done
		_ = cmd.Wait()
	})
	if err != nil {
		b.Fatalf("%s %s did not start: %v", name, args[0], err)
	}
	return strings.TrimSpace(line)
}

// once runs a program to its end and returns what it printed.
func once(env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	cmd.Env = env
	return cmd.CombinedOutput()
}
