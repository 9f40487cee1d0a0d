package protocol_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTheGroundFloor: protocol imports nothing of this module, and beside the
// standard library only the JSON codec.
func TestTheGroundFloor(t *testing.T) {
	const module, codec = "github.com/oh-my-webbridge/omw/", "github.com/go-json-experiment/json"
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	deps := strings.Fields(string(out))
	require.Contains(t, deps, module+"daemon/protocol")
	for _, dep := range deps {
		if first, _, _ := strings.Cut(dep, "/"); !strings.Contains(first, ".") || dep == module+"daemon/protocol" {
			continue
		}
		require.True(t, dep == codec || strings.HasPrefix(dep, codec+"/"), dep)
	}
	out, err = exec.Command("go", "list", "-f", `{{join .Imports " "}}`, ".").Output()
	require.NoError(t, err)
	for _, dep := range []string{"net", "os", "os/exec", "log", "log/slog"} {
		require.NotContains(t, strings.Fields(string(out)), dep, "the ground floor does no I/O")
	}
}
