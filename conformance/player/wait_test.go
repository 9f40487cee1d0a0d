package player

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/lane"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// TestTimesByTheWallClock: in the real lane what is expected at a time must not
// come before it, and at most a second and what the machine was late after it.
func TestTimesByTheWallClock(t *testing.T) {
	began := time.Now()
	p := &play{stage: Stage{Clock: lane.RealClock{}}, began: began}
	for _, tc := range []struct {
		arg       string
		got, slip time.Duration
		reason    string
	}{
		{"at=2s", 2*time.Second - 1, 0, "it happened at +1.999999999s, before +2s"},
		{"at=2s", 2 * time.Second, 0, ""},
		{"at=2s", 3 * time.Second, 0, ""},
		{"at=2s", 3*time.Second + 1, 0, "it happened at +3.000000001s, later than +2s and what the machine may be late"},
		{"at=2s", 3*time.Second + 1, time.Millisecond, ""},
		{"at=2s", 3*time.Second + time.Millisecond, time.Millisecond, ""},
		{"at=2s", 3*time.Second + time.Millisecond + 1, time.Millisecond, "later than"},
		{"took=2s", 2*time.Second - 1, 0, "it took"},
		{"took=2s", 2 * time.Second, 0, ""},
		{"took=2s", 3 * time.Second, 0, ""},
		{"took=2s", 3*time.Second + 1, 0, "it took"},
	} {
		l, err := tape.ParseLine("agent expect a1 " + tc.arg)
		require.NoError(t, err)
		err = p.timed(&l, began.Add(tc.got), began, tc.slip)
		if tc.reason == "" {
			require.NoError(t, err, "%s, %s", tc.arg, tc.got)
			continue
		}
		require.ErrorContains(t, err, tc.reason, "%s, %s", tc.arg, tc.got)
	}
}
