package words

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrefixOf(t *testing.T) {
	for expr, prefix := range map[string]string{
		`^the daemon reads again$`:        "the daemon reads again",
		`^the daemon (reads|writes)$`:     "the daemon ",
		`^(?:the|a) daemon$`:              "",
		`^the daemons? reads$`:            "the daemon",
		`the daemon`:                      "",
		`^the daemon$|^the browser$`:      "",
		`^(?i)the daemon$`:                "",
		`^"((?:[^"\\]|\\.)*)" is read$`:   `"`,
		`^1\.5 seconds pass, and \d more`: "1.5 seconds pass, and ",
	} {
		require.Equal(t, prefix, prefixOf(expr), expr)
		require.Equal(t, prefix, compiled(expr).prefix)
	}
}
