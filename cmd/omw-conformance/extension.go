package main

import (
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
)

// openExtension is openTarget for the roles in which the suite plays the daemon:
// an extension, and the simulator that is judged as one.
func openExtension(role ledger.Role, spec, _ string) (target.Target, ledger.Lane, error) {
	kind, rest, _ := strings.Cut(spec, ":")
	switch kind {
	case "sim":
		t, err := target.Sim(rest)
		return t, ledger.Virtual, err
	case "builtin":
		t, err := target.BuiltinExtension(rest)
		return t, ledger.Virtual, err
	}
	return nil, "", fmt.Errorf("--target %q is no target of the role %s; there are sim:chrome, sim:firefox, builtin:absent and builtin:mute", spec, role)
}
