package client

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// An answer is read up to twice what the daemon may buffer, and no further,
// whatever its header says.
func TestLargestAnswer(t *testing.T) {
	c, err := New(Options{})
	require.NoError(t, err)
	most := 2 * protocol.DefaultLimits().Buffered
	read := func(size, declared int64) ([]byte, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/command", http.NoBody)
		require.NoError(t, err)
		return c.readAll(&http.Response{Request: req, ContentLength: declared, Body: io.NopCloser(io.LimitReader(zeros{}, size))})
	}
	b, err := read(most, most)
	require.NoError(t, err)
	require.Len(t, b, int(most))
	_, err = read(most+1, most)
	require.Equal(t, protocol.OutcomeUnknown, protocol.AsError(err).Code)
	require.Equal(t, protocol.DeliveredUnknown, protocol.AsError(err).Delivered)
}
