package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

// openExtension is openTarget for the roles in which the suite plays the daemon:
// an extension, and the simulator that is judged as one.
func openExtension(role ledger.Role, spec, bin string) (target.Target, ledger.Lane, error) {
	kind, rest, _ := strings.Cut(spec, ":")
	switch kind {
	case "sim":
		t, err := target.Sim(rest)
		return t, ledger.Virtual, err
	case "exec":
		bin, err := filepath.Abs(bin)
		if err != nil {
			return nil, "", fmt.Errorf("--bin: %w", err)
		}
		f, err := target.ReadExtensionFile(rest, bin)
		if err != nil {
			return nil, "", err
		}
		return target.ExecExtension(f), ledger.Real, nil
	case "builtin":
		t, err := target.BuiltinExtension(rest)
		return t, ledger.Virtual, err
	}
	return nil, "", fmt.Errorf("--target %q is no target of the role %s; there are sim:chrome, sim:firefox, exec:FILE, builtin:absent and builtin:mute", spec, role)
}
