package sequence_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/report/sequence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

var update = flag.Bool("update", false, "write the golden files again")

// TestGolden draws scenarios that failed in real runs of broken daemons.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		var e verdict.Finished
		require.NoError(t, json.Unmarshal(data, &e))
		var got bytes.Buffer
		require.NoError(t, diagram.Text(&got, sequence.Of(ledger.Daemon, &e)))
		golden := strings.TrimSuffix(file, "json") + "txt"
		if *update {
			require.NoError(t, os.WriteFile(golden, got.Bytes(), 0o600))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got.String(), file)
	}
}
