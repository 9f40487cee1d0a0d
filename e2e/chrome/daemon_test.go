package chrome_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// patience is how long a test waits for what must come soon: the alarm that wakes
// the extension may be 30 seconds away.
const patience = 45 * time.Second

// daemon is `omw serve` with a config directory of its own.
type daemon struct {
	dir, addr string

	cmd  *exec.Cmd
	done chan error
	log  *logbook
}

// startDaemon starts a daemon on a free port, which a restart keeps.
func startDaemon(t *testing.T) *daemon {
	d := &daemon{dir: filepath.Join(t.TempDir(), "config"), addr: "127.0.0.1:0", log: &logbook{}}
	d.start(t)
	t.Cleanup(func() {
		d.stop(t)
		if t.Failed() {
			t.Logf("the daemon's log:\n%s", d.log)
		}
	})
	return d
}

func (d *daemon) start(t *testing.T) {
	d.cmd = exec.Command(built.omw, "serve", "--json", "--log-level", "debug", "--addr", d.addr)
	d.cmd.Env = append(os.Environ(), "OMW_CONFIG_DIR="+d.dir)
	d.cmd.Stderr = d.log
	d.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := d.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, d.cmd.Start())
	lines := make(chan []byte, 1)
	d.done = make(chan error, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadBytes('\n')
		lines <- line
		d.done <- d.cmd.Wait()
	}()
	var listening struct{ Addr string }
	line := receive(t, "the address of omw serve", lines)
	require.NoError(t, json.Unmarshal(line, &listening), "omw serve says where it listens: %s%s", line, d.log)
	d.addr = listening.Addr
}

// stop ends the daemon as a person does.
func (d *daemon) stop(t *testing.T) {
	if d.cmd == nil {
		return
	}
	require.NoError(t, d.cmd.Process.Signal(syscall.SIGTERM))
	select {
	case err := <-d.done:
		require.NoError(t, err, "omw serve ends with 0")
	case <-time.After(patience):
		_ = d.cmd.Process.Kill()
		<-d.done
		t.Errorf("omw serve did not end by SIGTERM")
	}
	d.cmd = nil
}

func (d *daemon) client(t *testing.T) *client.Client {
	c, err := client.New(client.Options{Addr: d.addr, Token: d.token(t)})
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func (d *daemon) token(t *testing.T) string {
	text, err := os.ReadFile(filepath.Join(d.dir, "config.json"))
	require.NoError(t, err)
	var config struct{ Token string }
	require.NoError(t, json.Unmarshal(text, &config))
	return config.Token
}

// logbook is a buffer that a process writes to while a test reads it.
type logbook struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}
