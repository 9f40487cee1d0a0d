// Command gen fills the parts of daemon/PROTOCOL.md that are made from the code:
// what stands between the lines "<!-- made: NAME -->" and "<!-- end -->".
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func main() {
	dir := flag.String("protocol", ".", "the directory of package protocol")
	flag.Parse()
	if err := run(*dir); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run renews PROTOCOL.md, which stands beside package protocol.
func run(dir string) error {
	page := filepath.Join(dir, "..", "PROTOCOL.md")
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	renewed, err := renew(old, dir)
	if err != nil {
		return err
	}
	return os.WriteFile(page, renewed, 0o644)
}

// renew returns page with its made parts made anew.
func renew(page []byte, dir string) ([]byte, error) {
	limits, err := readLimits(filepath.Join(dir, "limits.go"))
	if err != nil {
		return nil, err
	}
	l, err := openLibrary(protocol.Schemas())
	if err != nil {
		return nil, err
	}
	return fill(page, map[string]func() (string, error){
		"codes":             func() (string, error) { return codes(), nil },
		"limits":            func() (string, error) { return limits.table(protocol.DefaultLimits()) },
		"extension limits":  func() (string, error) { return limits.table(protocol.DefaultExtensionLimits()) },
		"command":           func() (string, error) { return l.properties("http/command.json") },
		"answers":           func() (string, error) { return l.definitions("http/ping.json", "http/pair.json", "http/admin.json") },
		"frames":            l.frames,
		"actions":           func() (string, error) { return l.summary(protocol.Actions()) },
		"actions in detail": func() (string, error) { return l.details(everyAction()) },
		"types":             func() (string, error) { return l.types() },
	})
}

// everyAction returns the actions of agents, then the daemon's own.
func everyAction() []*protocol.Action {
	all := protocol.Actions()
	for _, name := range []string{"artifact_read", "artifact_close"} {
		if a, ok := protocol.LookupAction(name); ok {
			all = append(all, a)
		}
	}
	return all
}
