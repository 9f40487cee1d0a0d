//go:build unix

package target_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// extensionChild is a browser in a process of its own: told by its environment
// where the daemon is, and stopped in its background by SIGUSR1.
func extensionChild() int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if os.Getenv("TOKEN") == "dies" {
		fmt.Fprintln(os.Stderr, "no profile to be found")
		return 5
	}
	b := sim.New(sim.Config{Dial: (&net.Dialer{}).DialContext, Addr: os.Getenv("ADDR"), Token: os.Getenv("TOKEN")})
	usr1 := make(chan os.Signal, 1)
	signal.Notify(usr1, syscall.SIGUSR1)
	go func() {
		for range usr1 {
			b.Suspend()
		}
	}()
	fmt.Println("tabs:", os.Getenv("TABS"))
	_ = b.Run(ctx)
	_ = b.Close()
	return 0
}

// extensionFile writes a target file and reads it.
func extensionFile(t *testing.T, text string) (*target.ExtensionFile, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.json")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return target.ReadExtensionFile(path, "/bin")
}

func extensionChildFile(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	return fmt.Sprintf(`{"name":"mine","browser":"chrome","picture_ms":7,"suspend":{"signal":"USR1"},"start":{"command":[%q],`+
		`"env":{%q:"extension","ADDR":"{addr}","TOKEN":"{token}","TABS":"{person_tabs}"}}}`, exe, childMode)
}

const someToken = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func playedDaemon(t *testing.T) *sim.Daemon {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	d := sim.NewDaemon(ln, sim.DaemonConfig{Token: someToken})
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

func browserSetup(t *testing.T, d *sim.Daemon) target.BrowserSetup {
	return target.BrowserSetup{Scratch: t.TempDir(), Network: target.TCP{}, Addr: d.Addr(), Token: someToken}
}

func eventually(t *testing.T, cond func() bool) {
	t.Helper()
	require.Eventually(t, cond, 10*time.Second, 5*time.Millisecond)
}

func welcomed(d *sim.Daemon) bool {
	for _, s := range d.Sockets() {
		if _, ok := s.Welcomed(); ok {
			return true
		}
	}
	return false
}

func TestAnExtensionInAProcess(t *testing.T) {
	f, err := extensionFile(t, extensionChildFile(t))
	require.NoError(t, err)
	e := target.ExecExtension(f)
	require.Equal(t, target.Info{Kind: "exec", Name: "mine"}, e.Info())
	require.Equal(t, protocol.Chrome, e.Browser())
	_, err = e.Start(t.Context(), target.Setup{})
	_, hidden := target.IsUnobservable(err)
	require.True(t, hidden, "it is no daemon")

	d := playedDaemon(t)
	s := browserSetup(t, d)
	s.PersonTabs = []string{"https://a.example/"}
	b, err := e.Open(t.Context(), s)
	require.NoError(t, err)
	eventually(t, func() bool { return welcomed(d) })
	logs, err := b.Logs()
	require.NoError(t, err)
	require.Contains(t, logs, `tabs: ["https://a.example/"]`)
	took, err := b.PictureTime()
	require.NoError(t, err)
	require.Equal(t, 7*time.Millisecond, took)

	require.NoError(t, b.Suspend(t.Context()))
	eventually(t, func() bool { code, _, _ := d.Sockets()[0].Closing(); return code == 1001 })
	require.NoError(t, b.Died())
	require.NoError(t, b.Release(t.Context()))
	require.NoError(t, b.Died(), "it was told to end")
}

func TestABrowserThatEndsByItselfHasDied(t *testing.T) {
	f, err := extensionFile(t, extensionChildFile(t))
	require.NoError(t, err)
	s := browserSetup(t, playedDaemon(t))
	s.Token = "dies"
	b, err := target.ExecExtension(f).Open(t.Context(), s)
	require.NoError(t, err)
	eventually(t, func() bool { return b.Died() != nil })
	require.ErrorContains(t, b.Died(), "exit status 5")
	require.ErrorContains(t, b.Died(), "no profile to be found")
	require.NoError(t, b.Release(t.Context()))
}

func TestABrowserThatIsNotThereDoesNotStart(t *testing.T) {
	f, err := extensionFile(t, `{"name":"x","browser":"firefox","start":{"command":["/nowhere/at/all","{addr}","{token}"]}}`)
	require.NoError(t, err)
	_, err = target.ExecExtension(f).Open(t.Context(), browserSetup(t, playedDaemon(t)))
	var notUp *target.StartError
	require.ErrorAs(t, err, &notUp)
}

func TestWhatAnExtensionsTargetFileDoesNotSayIsUnobservable(t *testing.T) {
	f, err := extensionFile(t, `{"name":"x","browser":"firefox","start":{"command":["/bin/sleep","600","{addr}"],"env":{"T":"{token}"}},"stop":{"timeout_ms":5000}}`)
	require.NoError(t, err)
	e := target.ExecExtension(f)
	s := browserSetup(t, playedDaemon(t))
	s.PersonTabs = []string{"https://a.example/"}
	_, err = e.Open(t.Context(), s)
	_, hidden := target.IsUnobservable(err)
	require.True(t, hidden, err)

	f.Start.Command = []string{"/bin/sleep", "600"}
	s.PersonTabs = nil
	b, err := target.ExecExtension(f).Open(t.Context(), s)
	require.NoError(t, err)
	for _, err := range []error{b.Suspend(t.Context()), func() error { _, err := b.PictureTime(); return err }()} {
		_, hidden := target.IsUnobservable(err)
		require.True(t, hidden, err)
	}
	require.NoError(t, b.Release(t.Context()))
}

func TestAnExtensionsTargetFileIsRefused(t *testing.T) {
	good := `{"name":"x","browser":"chrome","start":{"command":["x","{addr}"],"env":{"T":"{token}"}}}`
	_, err := extensionFile(t, good)
	require.NoError(t, err)
	_, err = extensionFile(t, strings.NewReplacer("{addr}", "{port}", "{token}", "{code}").Replace(good))
	require.NoError(t, err)
	for name, tc := range map[string][3]string{
		"no name":         {`"name":"x"`, `"name":""`, "name must not be empty"},
		"no browser":      {`"browser":"chrome"`, `"browser":"lynx"`, `browser is "lynx"`},
		"no command":      {`["x","{addr}"]`, `[]`, "command must not be empty"},
		"no token":        {`{token}`, `none`, "neither {token} nor {code}"},
		"no address":      {`{addr}`, `none`, "neither {addr} nor {port}"},
		"unknown member":  {`"name"`, `"nam":1,"name"`, `unknown field "nam"`},
		"unknown signal":  {`"start"`, `"suspend":{"signal":"KILL"},"start"`, `"KILL" is neither USR1 nor USR2`},
		"unknown stop":    {`"start"`, `"stop":{"signal":"HUP"},"start"`, `"HUP" is neither TERM nor INT`},
		"negative time":   {`"start"`, `"picture_ms":-1,"start"`, "picture_ms must not be negative"},
		"something after": {`}}}`, `}}} {}`, "something stands behind"},
	} {
		_, err := extensionFile(t, strings.Replace(good, tc[0], tc[1], 1))
		require.ErrorContains(t, err, tc[2], name)
	}
}

func TestOurExtensionsTargetFileKeepsToItsSchema(t *testing.T) {
	const file = "../targets/sim-chrome.json"
	f, err := target.ReadExtensionFile(file, "/bin")
	require.NoError(t, err)
	require.False(t, f.Strict, "omw sim is lenient about a session's first tab")
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(target.ExtensionSchema))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("x.json", doc))
	s, err := c.Compile("x.json")
	require.NoError(t, err)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	require.NoError(t, s.Validate(v))
}
