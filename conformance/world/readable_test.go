package world

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatWouldSteerATerminalIsEscaped(t *testing.T) {
	require.Equal(t, "a\\u0000b\\u001b[31m\\u202ec\n\td\u2014", cut([]byte("a\x00b\x1b[31m\u202ec\n\td\u2014")))
	require.Equal(t, "\uFFFD", cut([]byte{0xff}))
}
