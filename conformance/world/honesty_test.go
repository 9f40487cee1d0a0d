package world_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/world"
)

func TestHonesty(t *testing.T) {
	for _, tc := range []struct {
		name   string
		answer world.Answer
		// broken says for 0, 1 and 2 starts which check fails.
		broken [3]string
	}{
		{"no answer was seen", world.Unanswered, [3]string{"", "", "KIT-10/started-twice"}},
		{"refused", world.Refused, [3]string{"", "KIT-10/refused-and-started", "KIT-10/started-twice"}},
		{"done", world.Ran, [3]string{"KIT-10/answered-unstarted", "", "KIT-10/started-twice"}},
		{"unknown", world.Uncertain, [3]string{"", "", "KIT-10/started-twice"}},
	} {
		for starts, want := range tc.broken {
			h := &world.Honesty{}
			h.Asked("m1")
			for range starts {
				h.Started("m1")
			}
			h.Answered("m1", tc.answer)
			require.Equal(t, starts, h.Starts("m1"))
			err := h.Check()
			if want == "" {
				require.NoError(t, err, "%s, %d starts", tc.name, starts)
				continue
			}
			f, ok := world.AsFailure(err)
			require.True(t, ok, "%s, %d starts", tc.name, starts)
			require.Equal(t, want, f.Check, "%s, %d starts", tc.name, starts)
			require.Contains(t, f.Reason, `"m1"`)
		}
	}
}

func TestHonestyOfAStartThatNobodyAskedFor(t *testing.T) {
	h := &world.Honesty{}
	require.NoError(t, h.Check(), "a scenario that feeds nothing")
	h.Asked("m1")
	h.Started("m2")
	f, ok := world.AsFailure(h.Check())
	require.True(t, ok)
	require.Equal(t, "KIT-10/never-asked", f.Check)
}

func TestAnswerTo(t *testing.T) {
	for _, tc := range []struct {
		status          int
		ok              bool
		code, delivered string
		want            world.Answer
	}{
		{200, true, "", "", world.Ran},
		{200, false, "page_error", "", world.Ran},
		{200, false, "page_error", "unknown", world.Ran},
		{400, false, "bad_request", "no", world.Refused},
		{503, false, "busy", "", world.Refused},
		{399, true, "", "", world.Ran},
		{200, false, "busy", "", world.Refused},
		{200, false, "not_connected", "", world.Refused},
		{200, false, "outcome_unknown", "no", world.Refused},
		{200, false, "outcome_unknown", "unknown", world.Uncertain},
		{200, false, "stale_ref", "", world.Uncertain},
		{200, false, "file_error", "no", world.Refused},
	} {
		require.Equal(t, tc.want, world.AnswerTo(tc.status, tc.ok, tc.code, tc.delivered), "%+v", tc)
	}
}
