package target_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

// childFile writes a target file for this test binary as a daemon of that mode
// and reads it back; change may alter it before.
func childFile(t *testing.T, mode string, change func(*target.File)) *target.File {
	self, err := os.Executable()
	require.NoError(t, err)
	f := &target.File{
		Name: "child",
		Start: &target.Start{
			Command:  []string{self, "--flag"},
			AddrArgs: []string{"--at", "{addr}"},
			Env: map[string]string{
				childMode: mode, "ADDR": "{addr}", "CONFIG": "{config}", "HOST": "{host}", "PORT": "{port}",
				// A program with the race detector in it otherwise sleeps for a second at its end.
				"GORACE": "atexit_sleep_ms=0",
			},
			Ready: target.Ready{Line: `listening on (\S+)`, TimeoutMS: 10000},
		},
		Stop:      target.Stop{TimeoutMS: 5000},
		ConfigDir: "{config}",
		Token:     target.Source{File: "{config}/secret.json", JSON: "token"},
		Code:      &target.Source{Request: &target.Request{Method: "POST", Path: "/admin/pair"}, JSON: "code"},
	}
	if change != nil {
		change(f)
	}
	return reread(t, f)
}

func reread(t *testing.T, f *target.File) *target.File {
	text, err := json.Marshal(f)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "target.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	read, err := target.ReadFile(path, "/opt/bin")
	require.NoError(t, err)
	return read
}

func start(t *testing.T, f *target.File, setup target.Setup) (target.Instance, error) {
	tg, err := target.Exec(f)
	require.NoError(t, err)
	if setup.Scratch == "" {
		setup.Scratch = t.TempDir()
	}
	setup.Network = target.TCP{}
	i, err := tg.Start(context.Background(), setup)
	if err == nil {
		t.Cleanup(func() { _ = i.Release(context.Background()) })
	}
	return i, err
}

func get(t *testing.T, i target.Instance, path string) map[string]any {
	tr := &http.Transport{DialContext: i.Dial, DisableKeepAlives: true}
	resp, err := (&http.Client{Transport: tr}).Get("http://127.0.0.1" + path)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	var body map[string]any
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&body))
	return body
}

func TestExec(t *testing.T) {
	ctx := context.Background()
	scratch := t.TempDir()
	i, err := start(t, childFile(t, "serve", nil), target.Setup{Scratch: scratch, Args: []string{"--more"}, Env: []string{"EXTRA=1"}})
	require.NoError(t, err)
	host, port, err := net.SplitHostPort(i.Addr())
	require.NoError(t, err)
	body := get(t, i, "/env")
	require.Equal(t, []any{"--flag", "--at", i.Addr(), "--more"}, body["args"])
	require.Equal(t, scratch, body["dir"])
	require.ElementsMatch(t, []any{
		"PATH=" + os.Getenv("PATH"), "HOME=" + scratch + "/home", "TMPDIR=" + scratch + "/tmp", childMode + "=serve", "ADDR=" + i.Addr(),
		"CONFIG=" + scratch + "/state/config", "HOST=" + host, "PORT=" + port, "EXTRA=1", "GORACE=atexit_sleep_ms=0",
	}, body["env"])
	config, err := i.ConfigDir()
	require.NoError(t, err)
	require.Equal(t, scratch+"/state/config", config)
	token, err := i.Token(ctx)
	require.NoError(t, err)
	require.Equal(t, "t0ken", token)
	code, err := i.Code(ctx)
	require.NoError(t, err)
	require.Equal(t, "314159", code)
	logs, err := i.Logs()
	require.NoError(t, err)
	require.Contains(t, logs, "listening on "+i.Addr())
	pid, err := i.Pid()
	require.NoError(t, err)
	require.Positive(t, pid)
	require.NoError(t, i.Died())
}

func TestExecRestartKeepsAddressAndConfig(t *testing.T) {
	ctx := context.Background()
	i, err := start(t, childFile(t, "serve", nil), target.Setup{})
	require.NoError(t, err)
	addr := i.Addr()
	config, err := i.ConfigDir()
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(config, "kept"), nil, 0o600))
	require.NoError(t, target.Restart(ctx, i))
	require.Equal(t, addr, i.Addr())
	get(t, i, "/")
	require.NoError(t, i.Kill(ctx))
	require.NoError(t, i.Died(), "it was asked to end")
	_, err = i.Dial(ctx, "tcp", "")
	require.Error(t, err)
	require.NoError(t, i.Start(ctx))
	require.Equal(t, addr, i.Addr())
	get(t, i, "/")
	_, err = os.Stat(filepath.Join(config, "kept"))
	require.NoError(t, err)
}

func TestExecWithoutReadyLineIsDialled(t *testing.T) {
	i, err := start(t, childFile(t, "serve", func(f *target.File) { f.Start.Ready.Line = "" }), target.Setup{})
	require.NoError(t, err)
	get(t, i, "/")
}

func TestExecUmask(t *testing.T) {
	for _, umask := range []int{0o000, 0o077} {
		i, err := start(t, childFile(t, "serve", nil), target.Setup{Umask: &umask})
		require.NoError(t, err)
		config, err := i.ConfigDir()
		require.NoError(t, err)
		info, err := os.Stat(filepath.Join(config, "secret.json"))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o666&^umask), info.Mode().Perm())
	}
}

func TestExecDefaultAddrLeavesTheFlagOut(t *testing.T) {
	// It is not up at the default address, so only its command line is looked at.
	f := childFile(t, "serve", func(f *target.File) { f.Start.Env["ADDR"] = "127.0.0.1:0" })
	i, err := start(t, f, target.Setup{DefaultAddr: true})
	require.NoError(t, err)
	require.Equal(t, []any{"--flag"}, get(t, i, "/env")["args"])
}

func TestExecThatDoesNotComeUp(t *testing.T) {
	_, err := start(t, childFile(t, "crash", nil), target.Setup{})
	var failed *target.StartError
	require.ErrorAs(t, err, &failed)
	require.True(t, failed.Exited)
	require.Equal(t, 7, failed.Status)
	require.Contains(t, failed.Output, "the moon is full")
	require.Contains(t, failed.Error(), "exit status 7")

	begun := time.Now()
	_, err = start(t, childFile(t, "hang", func(f *target.File) { f.Start.Ready.TimeoutMS = 300 }), target.Setup{})
	require.ErrorAs(t, err, &failed)
	require.False(t, failed.Exited)
	require.Contains(t, failed.Error(), "not ready within 300ms")
	require.Less(t, time.Since(begun), 8*time.Second)

	_, err = start(t, childFile(t, "serve", func(f *target.File) { f.Start.Command = []string{"/no/such/program"} }), target.Setup{})
	require.ErrorAs(t, err, &failed)
	require.False(t, failed.Exited)
}

func TestExecThatDies(t *testing.T) {
	ctx := context.Background()
	i, err := start(t, childFile(t, "serve", nil), target.Setup{})
	require.NoError(t, err)
	tr := &http.Transport{DialContext: i.Dial, DisableKeepAlives: true}
	_, err = (&http.Client{Transport: tr}).Post("http://127.0.0.1/die", "", nil)
	require.Error(t, err)
	status, err := i.Wait(ctx)
	require.NoError(t, err)
	require.Equal(t, 9, status)
	require.ErrorContains(t, i.Died(), "exit status 9")
	require.NoError(t, i.Start(ctx), "it can be started again")
	require.NoError(t, i.Died())
}

func TestExecSignal(t *testing.T) {
	ctx := context.Background()
	i, err := start(t, childFile(t, "serve", nil), target.Setup{})
	require.NoError(t, err)
	require.NoError(t, i.Signal(os.Interrupt))
	status, err := i.Wait(ctx)
	require.NoError(t, err)
	require.Equal(t, 0, status)
	require.NoError(t, i.Died(), "a signalled daemon is free to end")
	require.NoError(t, i.Stop(ctx), "it has ended already")

	i, err = start(t, childFile(t, "serve", nil), target.Setup{})
	require.NoError(t, err)
	require.NoError(t, i.Signal(syscall.SIGKILL))
	status, err = i.Wait(ctx)
	require.NoError(t, err)
	require.Equal(t, -1, status)
}

func TestExecThatDoesNotStopProperly(t *testing.T) {
	ctx := context.Background()
	i, err := start(t, childFile(t, "bad-status", nil), target.Setup{})
	require.NoError(t, err)
	require.ErrorContains(t, i.Stop(ctx), "it ended with status 3")

	i, err = start(t, childFile(t, "stubborn", func(f *target.File) { f.Stop.TimeoutMS = 200 }), target.Setup{})
	require.NoError(t, err)
	pid, err := i.Pid()
	require.NoError(t, err)
	require.ErrorContains(t, i.Stop(ctx), "did not end within 200ms and was killed")
	require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
}

func TestExecReleaseEndsTheWholeGroup(t *testing.T) {
	f := childFile(t, "serve", func(f *target.File) {
		f.Start.Command = append([]string{"/bin/sh", "-c", `sleep 1000 & echo "sleeper $!"; exec "$@"`, "sh"}, f.Start.Command...)
	})
	i, err := start(t, f, target.Setup{})
	require.NoError(t, err)
	logs, err := i.Logs()
	require.NoError(t, err)
	var sleeper int
	_, err = fmt.Sscanf(logs, "sleeper %d", &sleeper)
	require.NoError(t, err)
	require.NoError(t, syscall.Kill(sleeper, 0))
	require.NoError(t, i.Release(context.Background()))
	require.Eventually(t, func() bool { return ended(sleeper) }, 5*time.Second, 5*time.Millisecond)
}

// ended reports whether a process has ended; one that waits to be reaped by
// whoever inherited it has.
func ended(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return syscall.Kill(pid, 0) != nil
	}
	_, state, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(state, "Z") || strings.HasPrefix(state, "X")
}

func TestExecTogetherGetDifferentPorts(t *testing.T) {
	f := childFile(t, "serve", nil)
	var all sync.WaitGroup
	addrs := make([]string, 12)
	for n := range addrs {
		all.Go(func() {
			tg, err := target.Exec(f)
			if err != nil {
				return
			}
			i, err := tg.Start(context.Background(), target.Setup{Scratch: t.TempDir(), Network: target.TCP{}})
			if err == nil {
				addrs[n] = i.Addr()
				_ = i.Release(context.Background())
			}
		})
	}
	all.Wait()
	seen := map[string]bool{}
	for _, addr := range addrs {
		require.NotEmpty(t, addr)
		require.False(t, seen[addr])
		seen[addr] = true
	}
}
