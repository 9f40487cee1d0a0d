package browser

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// A link may live for months: nothing stays in it of a command that has ended.
func TestLinkKeepsNothingOfACommandThatHasEnded(t *testing.T) {
	l := linkThatWritesNothing(t)
	click, _ := protocol.LookupAction("click")
	closing, _ := protocol.LookupAction("close_session")

	var calls []*Call
	for range 3 {
		c, err := l.Admit(click, "shop", time.Now().Add(time.Hour))
		require.NoError(t, err)
		calls = append(calls, c)
	}
	end, err := l.Admit(closing, "shop", time.Now().Add(time.Hour))
	require.NoError(t, err)
	for _, c := range append(calls[:2:2], end) {
		c.Send([]byte(`{"large":"…"}`))
	}
	require.Len(t, l.out, 3)
	require.NotEmpty(t, l.latest)

	for _, c := range append(calls, end) {
		c.Drop()
		c.Send([]byte(`{"large":"…"}`))
		require.Nil(t, c.args)
	}
	require.True(t, l.EndedBy(end))
	require.Empty(t, l.out)
	require.Empty(t, l.waiting)
	require.Empty(t, l.pending)
	require.Empty(t, l.latest)
}

// linkThatWritesNothing returns a link that is never run.
func linkThatWritesNothing(t *testing.T) *Link {
	l := &Link{
		cfg:  Config{Browser: protocol.Chrome, Limits: protocol.DefaultLimits(), Buffer: NewBuffer(1 << 20), Ended: func() {}},
		log:  slog.New(slog.DiscardHandler),
		wake: make(chan struct{}, 1), ended: make(chan struct{}),
		pending: map[string]*Call{}, waiting: map[string][]*Call{}, latest: map[string]uint64{},
	}
	t.Cleanup(func() { l.finish(ending{}) })
	return l
}

// Of a request that cannot be upgraded Accept answers itself, and no link is made.
func TestRequestThatCannotBeUpgraded(t *testing.T) {
	w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/extension", nil)
	_, err := Accept(w, r, Config{Log: slog.New(slog.DiscardHandler)})
	require.Error(t, err)
	require.Equal(t, http.StatusUpgradeRequired, w.Code)
}
