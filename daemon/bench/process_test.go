//go:build linux

package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/daemon/state"
)

// role names the variable by which this binary, started again, knows that it is
// one of the processes of a chain.
const role = "OMW_BENCH_ROLE"

func TestMain(m *testing.M) {
	var err error
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "echo":
		err = serve(func(ln net.Listener) error { return serveEcho(ln) })
	case "floor":
		err = serve(serveFloor)
	case "daemon":
		err = serve(serveDaemon)
	case "extension":
		err = answerCommands(os.Args[1], os.Args[2], os.Args[3])
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// serve listens, says where, and ends with the process that started it.
func serve(run func(net.Listener) error) error {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(ln.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	return run(ln)
}

func serveDaemon(ln net.Listener) error {
	d, err := daemon.New(daemon.Config{Dir: os.Args[1], Version: "bench"})
	if err != nil {
		return err
	}
	return d.Serve(context.Background(), ln)
}

func serveEcho(ln net.Listener) error {
	for {
		c, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer c.Close()
			_, _ = io.Copy(c, c)
		}()
	}
}

// answerCommands is the extension of a chain: it answers every command with
// data of so many bytes.
func answerCommands(addr, token, size string) error {
	n, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	data := jsontext.Value(`{"value":"` + strings.Repeat("x", max(0, n-len(`{"value":""}`))) + `"}`)
	ctx := context.Background()
	c, resp, err := websocket.Dial(ctx, "ws://"+addr+"/extension", &websocket.DialOptions{
		Subprotocols: []string{protocol.Version, protocol.TokenProtocol + token},
		HTTPHeader:   map[string][]string{"Origin": {"chrome-extension://abcdefghijklmnopabcdefghijklmnop"}},
	})
	if err != nil {
		return fmt.Errorf("dial %s: %w", addr, err)
	}
	if resp.Body != nil {
		_ = resp.Body.Close()
	}
	c.SetReadLimit(64 << 20)
	hello := protocol.Hello{Browser: protocol.Chrome, BrowserVersion: "1", ExtensionVersion: "1"}
	if err := c.Write(ctx, websocket.MessageText, hello.AppendTo(nil)); err != nil {
		return err
	}
	fmt.Println("connected")
	var out []byte
	for {
		_, msg, err := c.Read(ctx)
		if err != nil {
			return err
		}
		frame, err := protocol.DecodeFrame(msg)
		if err != nil {
			return err
		}
		command, ok := frame.(*protocol.CommandFrame)
		if !ok {
			continue
		}
		r := protocol.Result{ID: command.ID, OK: true, Data: data}
		out = r.AppendTo(out[:0])
		if err := c.Write(ctx, websocket.MessageText, out); err != nil {
			return err
		}
	}
}

// process is a child of the benchmark.
type process struct {
	cmd  *exec.Cmd
	line string // the first line that it wrote
}

// start starts this binary in a role and waits for its first line. The process
// ends with the benchmark, and with this process however that ends.
func start(b *testing.B, as string, args ...string) *process {
	b.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), role+"="+as)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	stdin, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		b.Fatalf("%s did not start: %v", as, err)
	}
	return &process{cmd: cmd, line: strings.TrimSpace(line)}
}

// chain is a daemon with an extension behind it.
type chain struct {
	daemon *process
	token  string
}

func (c *chain) addr() string { return c.daemon.line }

func startChain(b *testing.B, as string, reply int) *chain {
	b.Helper()
	c := &chain{}
	if as == "daemon" {
		dir := filepath.Join(b.TempDir(), "config")
		c.daemon = start(b, as, dir)
		var err error
		// The daemon listens before it makes its config directory.
		for range 100 {
			if c.token, err = state.ReadToken(dir); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if err != nil {
			b.Fatal(err)
		}
	} else {
		c.daemon = start(b, as)
		c.token = "none"
	}
	start(b, "extension", c.addr(), c.token, strconv.Itoa(reply))
	return c
}

// cpu returns the processor time that a process has used, user and system.
func (p *process) cpu(b *testing.B) time.Duration {
	b.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	// The fields behind the name, which may hold blanks: state is the first.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	var ticks int64
	for _, f := range fields[11:13] {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	const perSecond = 100 // USER_HZ, the same on every Linux
	return time.Duration(ticks) * time.Second / perSecond
}
