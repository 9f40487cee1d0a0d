package artifact

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The files of /proc are plain ones that say they are empty and are not.
func TestFileThatLiesAboutItsSize(t *testing.T) {
	u := NewUploads(limits)
	b, err := u.Read(t.Context(), []string{"/proc/self/status"})
	require.NoError(t, err)
	require.Greater(t, b.Size(), int64(100))
	require.Equal(t, b.Size(), u.InUse())
	b.Free()

	_, err = u.Read(t.Context(), []string{"/proc/self/mem"})
	refused(t, err, protocol.FileError, protocol.DeliveredNo, "/proc/self/mem", "the disk failed")
	require.Zero(t, u.InUse())
}
