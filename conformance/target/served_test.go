package target_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// fake is a daemon in this process that keeps its token as ours does.
type fake struct {
	limits protocol.Limits
	log    *slog.Logger
	end    chan error
	deaf   bool
}

func (f *fake) Serve(ctx context.Context, ln net.Listener) error {
	f.log.Info("serving", "commands", f.limits.Commands)
	mux := http.NewServeMux()
	mux.HandleFunc("POST /admin/pair", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "Bearer t0ken" {
			_, _ = io.WriteString(w, `{"code":"123456"}`)
		}
	})
	s := &http.Server{Handler: mux, ReadHeaderTimeout: time.Second}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ln) }()
	if f.deaf {
		ctx = context.WithoutCancel(ctx)
	}
	select {
	case <-ctx.Done():
	case err := <-f.end:
		_ = s.Close()
		<-served
		return err
	}
	_ = s.Close()
	<-served
	return nil
}

func inProcess(end chan error) *target.InProcess {
	return &target.InProcess{New: func(dir string, limits protocol.Limits, log *slog.Logger) (target.Server, error) {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		text := []byte(`{"version":1,"token":"t0ken"}`)
		if err := os.WriteFile(filepath.Join(dir, "config.json"), text, 0o600); err != nil {
			return nil, err
		}
		return &fake{limits: limits, log: log, end: end}, nil
	}}
}

func setup(t *testing.T) target.Setup {
	return target.Setup{Scratch: t.TempDir(), Network: target.TCP{}}
}

func hidden(t *testing.T, err error) {
	t.Helper()
	_, ok := target.IsUnobservable(err)
	require.True(t, ok, "%v", err)
}

func TestInProcess(t *testing.T) {
	ctx := context.Background()
	tg := inProcess(nil)
	require.Equal(t, target.Info{Kind: "inproc", Name: "omw", Strict: true}, tg.Info())
	i, err := tg.Start(ctx, setup(t))
	require.NoError(t, err)
	token, err := i.Token(ctx)
	require.NoError(t, err)
	require.Equal(t, "t0ken", token)
	code, err := i.Code(ctx)
	require.NoError(t, err)
	require.Equal(t, "123456", code)
	addr := i.Addr()
	require.NoError(t, target.Restart(ctx, i))
	require.Equal(t, addr, i.Addr())
	logs, err := i.Logs()
	require.NoError(t, err)
	require.Contains(t, logs, "commands=128")
	_, err = i.ConfigDir()
	require.NoError(t, err)
	hidden(t, i.Kill(ctx))
	hidden(t, i.Signal(syscall.SIGKILL))
	_, err = i.Pid()
	hidden(t, err)
	require.NoError(t, i.Died())
	require.NoError(t, i.Signal(syscall.SIGTERM))
	hidden(t, i.Signal(syscall.SIGTERM))
	status, err := i.Wait(ctx)
	require.NoError(t, err)
	require.Zero(t, status)
	require.NoError(t, i.Died())
	require.NoError(t, i.Release(ctx))
}

func TestInProcessCannotHaveACommandLine(t *testing.T) {
	umask := 0
	for _, s := range []target.Setup{{Args: []string{"-x"}}, {Env: []string{"A=1"}}, {Umask: &umask}} {
		_, err := inProcess(nil).Start(context.Background(), s)
		hidden(t, err)
	}
}

func TestInProcessLimitsAndWrap(t *testing.T) {
	ctx := context.Background()
	tg := inProcess(nil)
	tg.Limits = protocol.DefaultLimits()
	tg.Limits.Commands++
	wrapped := 0
	tg.Wrap = func(ln net.Listener) net.Listener { wrapped++; return ln }
	i, err := tg.Start(ctx, setup(t))
	require.NoError(t, err)
	require.NoError(t, i.Stop(ctx))
	logs, err := i.Logs()
	require.NoError(t, err)
	require.Contains(t, logs, "commands=129")
	require.Equal(t, 1, wrapped)
}

func TestInProcessThatDies(t *testing.T) {
	ctx := context.Background()
	end := make(chan error, 1)
	i, err := inProcess(end).Start(ctx, setup(t))
	require.NoError(t, err)
	end <- errors.New("the roof fell in")
	status, err := i.Wait(ctx)
	require.NoError(t, err)
	require.Equal(t, 1, status)
	require.ErrorContains(t, i.Died(), "the roof fell in")
	require.ErrorContains(t, i.Release(ctx), "the roof fell in")
}

func TestInProcessThatDoesNotComeUp(t *testing.T) {
	ctx := context.Background()
	tg := &target.InProcess{New: func(string, protocol.Limits, *slog.Logger) (target.Server, error) {
		return nil, errors.New("the directory is taken")
	}}
	_, err := tg.Start(ctx, setup(t))
	var failed *target.StartError
	require.ErrorAs(t, err, &failed)
	require.Contains(t, failed.Reason, "the directory is taken")

	i, err := inProcess(nil).Start(ctx, setup(t))
	require.NoError(t, err)
	second := setup(t)
	second.Addr = i.Addr()
	_, err = inProcess(nil).Start(ctx, second)
	require.ErrorAs(t, err, &failed)
	require.Contains(t, failed.Reason, "address already in use")
	_, err = os.Stat(filepath.Join(second.Scratch, "state", "config"))
	require.ErrorIs(t, err, os.ErrNotExist, "a daemon whose port is taken touches no file")
	require.NoError(t, i.Release(ctx))
}

func TestBuiltin(t *testing.T) {
	ctx := context.Background()
	for name, want := range map[string]int{"200": 200, "403": 403} {
		tg, err := target.Builtin(name)
		require.NoError(t, err)
		i, err := tg.Start(ctx, setup(t))
		require.NoError(t, err)
		tr := &http.Transport{DialContext: i.Dial, DisableKeepAlives: true}
		for _, path := range []string{"/ping", "/command", "/anything"} {
			resp, err := (&http.Client{Transport: tr}).Get("http://127.0.0.1" + path)
			require.NoError(t, err)
			require.NoError(t, resp.Body.Close())
			require.Equal(t, want, resp.StatusCode)
		}
		_, err = i.ConfigDir()
		hidden(t, err)
		token, err := i.Token(ctx)
		require.NoError(t, err)
		require.Len(t, token, 43)
		code, err := i.Code(ctx)
		require.NoError(t, err)
		require.Len(t, code, 6)
		require.NoError(t, i.Release(ctx))
	}
	_, err := target.Builtin("500")
	require.ErrorContains(t, err, "null, 200 and 403")
}

func TestBuiltinNullSaysNothing(t *testing.T) {
	ctx := context.Background()
	tg, err := target.Builtin("null")
	require.NoError(t, err)
	i, err := tg.Start(ctx, setup(t))
	require.NoError(t, err)
	c, err := i.Dial(ctx, "tcp", "")
	require.NoError(t, err)
	_, err = io.WriteString(c, "GET /ping HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
	require.NoError(t, err)
	require.NoError(t, c.SetReadDeadline(time.Now().Add(100*time.Millisecond)))
	_, err = c.Read(make([]byte, 1))
	require.ErrorIs(t, err, os.ErrDeadlineExceeded)
	require.NoError(t, i.Release(ctx), "it ends although a client still waits")
	require.NoError(t, c.Close())
}

func TestURL(t *testing.T) {
	ctx := context.Background()
	running, err := inProcess(nil).Start(ctx, setup(t))
	require.NoError(t, err)
	config, err := running.ConfigDir()
	require.NoError(t, err)
	f := reread(t, &target.File{
		Name: "mine", URL: "http://" + running.Addr(),
		Token: target.Source{File: config + "/config.json", JSON: "token"},
		Code:  &target.Source{Request: &target.Request{Method: "POST", Path: "/admin/pair"}, JSON: "code"},
	})
	tg, err := target.URL(f)
	require.NoError(t, err)
	require.Equal(t, target.Info{Kind: "url", Name: "mine", Serial: true}, tg.Info())
	i, err := tg.Start(ctx, setup(t))
	require.NoError(t, err)
	require.Equal(t, running.Addr(), i.Addr())
	token, err := i.Token(ctx)
	require.NoError(t, err)
	require.Equal(t, "t0ken", token)
	code, err := i.Code(ctx)
	require.NoError(t, err)
	require.Equal(t, "123456", code)
	_, err = i.ConfigDir()
	hidden(t, err)
	_, err = i.Logs()
	hidden(t, err)
	_, err = i.Pid()
	hidden(t, err)
	_, err = i.Wait(ctx)
	hidden(t, err)
	hidden(t, i.Stop(ctx))
	hidden(t, i.Kill(ctx))
	hidden(t, i.Start(ctx))
	hidden(t, i.Signal(syscall.SIGTERM))
	hidden(t, target.Restart(ctx, i))
	otherwise := setup(t)
	otherwise.Args = []string{"-x"}
	_, err = tg.Start(ctx, otherwise)
	hidden(t, err)
	require.NoError(t, i.Died())
	require.NoError(t, i.Release(ctx))
	require.NoError(t, i.Died(), "it goes on")
	require.NoError(t, running.Release(ctx))
	require.ErrorContains(t, i.Died(), "nobody answers")
	_, err = tg.Start(ctx, setup(t))
	var failed *target.StartError
	require.ErrorAs(t, err, &failed)
}
