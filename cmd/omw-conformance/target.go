package main

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// openTarget returns the target of the role that --target names, and the lane
// that it runs in unless --lane says otherwise.
func (by suite) openTarget(role ledger.Role, spec, bin string) (target.Target, ledger.Lane, error) {
	switch role {
	case ledger.Extension, ledger.Sim:
		return openExtension(role, spec, bin)
	case ledger.Client:
		return openClient(spec)
	}
	kind, rest, _ := strings.Cut(spec, ":")
	switch kind {
	case "inproc":
		if rest != "" {
			break
		}
		dir, err := os.Getwd()
		if err != nil {
			return nil, "", err
		}
		return &target.InProcess{New: by.daemon, Source: target.FindSource(dir)}, ledger.Virtual, nil
	case "builtin":
		t, err := target.Builtin(rest)
		return t, ledger.Virtual, err
	case "exec", "url":
		// A target's processes have directories of their own.
		bin, err := filepath.Abs(bin)
		if err != nil {
			return nil, "", fmt.Errorf("--bin: %w", err)
		}
		f, err := target.ReadFile(rest, bin)
		if err != nil {
			return nil, "", err
		}
		if kind == "exec" {
			t, err := target.Exec(f)
			return t, ledger.Real, err
		}
		t, err := target.URL(f)
		return t, ledger.Real, err
	}
	return nil, "", fmt.Errorf("--target %q is none of inproc, exec:FILE, url:FILE, builtin:null, builtin:200, builtin:403", spec)
}

// newDaemon is the constructor that omw serve calls, too.
func newDaemon(dir string, limits protocol.Limits, log *slog.Logger) (target.Server, error) {
	return daemon.New(daemon.Config{Dir: dir, Version: conformance.Version, Limits: limits, Log: log})
}

// openLane returns the lane of that name. A process of its own has a clock of
// its own, so it runs in the real lane alone.
func openLane(name, own ledger.Lane, kind string) (lane.Lane, error) {
	if name == "" {
		name = own
	}
	switch {
	case name == ledger.Real:
		return lane.NewReal(), nil
	case name != ledger.Virtual:
		return nil, fmt.Errorf("--lane %q is neither virtual nor real", name)
	case kind == "exec" || kind == "url":
		return nil, fmt.Errorf("--lane virtual needs a target in this process; an %s target runs in real time", kind)
	}
	b, err := lane.InProcess()
	if err != nil {
		return nil, fault(err)
	}
	return lane.NewVirtual(b), nil
}

// binDir is the directory that this program stands in, where omw stands, too.
func binDir() string {
	path, err := os.Executable()
	if err != nil {
		return "."
	}
	return filepath.Dir(path)
}
