package route_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// bind binds the session in a goroutine and returns where its error will be.
func (s *scene) bind(session string, b protocol.Browser) <-chan error {
	done := make(chan error, 1)
	go func() { done <- s.router.Bind(command("click", session, ""), b) }()
	synctest.Wait()
	return done
}

func requireCode(t *testing.T, code protocol.Code, err error) {
	t.Helper()
	require.Error(t, err)
	require.Equal(t, code, protocol.AsError(err).Code)
	require.Equal(t, protocol.DeliveredNo, protocol.AsError(err).Delivered)
}

func TestBindWaitsUntilItIsSaved(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(0, time.Second)
		first, second := s.bind("shop", protocol.Chrome), s.bind("shop", protocol.Chrome)
		require.Len(t, first, 0)
		require.Len(t, second, 0, "a session that is bound and not saved yet")
		time.Sleep(time.Second)
		require.NoError(t, <-first)
		require.NoError(t, <-second)
		require.Equal(t, bindings{"shop": protocol.Chrome}, s.disk.holds())
		require.Equal(t, 1, s.disk.saves)

		began := time.Now()
		require.NoError(t, s.router.Bind(command("click", "shop", ""), protocol.Chrome))
		require.Zero(t, time.Since(began), "a session that is bound costs nothing")
	})
}

func TestTwoBrowsersForOneSession(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(0, time.Second)
		first := s.bind("shop", protocol.Chrome)
		requireCode(t, protocol.SessionBound, <-s.bind("shop", protocol.Firefox))
		require.NoError(t, <-first)
	})
}

// What could not be saved is not bound, neither here nor on the disk, whatever
// others save in the meantime.
func TestBindingThatFailsIsTakenBack(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(1, time.Second)
		fails := s.bind("shop", protocol.Chrome)
		other := s.bind("mail", protocol.Firefox)
		requireCode(t, protocol.FileError, <-fails)
		require.NoError(t, <-other)
		require.Equal(t, bindings{"mail": protocol.Firefox}, s.router.Bindings())
		require.Equal(t, bindings{"mail": protocol.Firefox}, s.disk.holds())
	})
}

// The second command of a session must not run on a binding that the first has
// taken back.
func TestSecondCommandBindsWhatTheFirstTookBack(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(1, time.Second)
		fails, second := s.bind("shop", protocol.Chrome), s.bind("shop", protocol.Chrome)
		requireCode(t, protocol.FileError, <-fails)
		require.NoError(t, <-second)
		require.Equal(t, bindings{"shop": protocol.Chrome}, s.router.Bindings())
		require.Equal(t, bindings{"shop": protocol.Chrome}, s.disk.holds())
	})
}

func TestSecondCommandFailsToo(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(2, time.Second)
		first, second := s.bind("shop", protocol.Chrome), s.bind("shop", protocol.Chrome)
		requireCode(t, protocol.FileError, <-first)
		requireCode(t, protocol.FileError, <-second)
		require.False(t, s.router.Bound("shop"))
		require.NoError(t, <-s.bind("shop", protocol.Firefox))
	})
}

// A command does not unbind what the extension said that it holds.
func TestCommandKeepsWhatHelloBound(t *testing.T) {
	bubble(t, nil, func(t *testing.T, s *scene) {
		s.disk.fill(2, 0)
		s.connect(protocol.Firefox, "shop")
		requireCode(t, protocol.FileError, <-s.bind("shop", protocol.Firefox))
		require.Equal(t, bindings{"shop": protocol.Firefox}, s.router.Bindings())
		require.NoError(t, <-s.bind("shop", protocol.Firefox))
		require.Equal(t, bindings{"shop": protocol.Firefox}, s.disk.holds())
	})
}

func TestCloseSessionUnbinds(t *testing.T) {
	click, _ := protocol.LookupAction("click")
	closing, _ := protocol.LookupAction("close_session")
	for _, tc := range []struct {
		name   string
		behind bool // another command of the session behind the close
		full   int
		want   bindings
		saved  bindings
	}{
		{"it was the last word", false, 0, bindings{"mail": protocol.Chrome}, bindings{"mail": protocol.Chrome}},
		{"another command is on its way", true, 0, bindings{"shop": protocol.Chrome, "mail": protocol.Chrome}, nil},
		{"it cannot be saved", false, 1, bindings{"mail": protocol.Chrome}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, bindings{"shop": protocol.Chrome, "mail": protocol.Chrome}, func(t *testing.T, s *scene) {
				s.connect(protocol.Chrome, "shop", "mail")
				s.disk.fill(tc.full, 0)
				c, err := s.link(protocol.Chrome).Admit(closing, "shop", time.Now().Add(time.Second))
				require.NoError(t, err)
				if tc.behind {
					_, err = s.link(protocol.Chrome).Admit(click, "shop", time.Now().Add(time.Second))
					require.NoError(t, err)
				}
				s.router.Unbind("shop", c)
				require.Equal(t, tc.want, s.router.Bindings())
				require.Equal(t, tc.saved, s.disk.holds())
			})
		})
	}
}

func TestCloseSessionOfNobodysSession(t *testing.T) {
	closing, _ := protocol.LookupAction("close_session")
	bubble(t, bindings{"fox": protocol.Firefox}, func(t *testing.T, s *scene) {
		s.connect(protocol.Chrome)
		for _, session := range []string{"shop", "fox"} {
			c, err := s.link(protocol.Chrome).Admit(closing, session, time.Now().Add(time.Second))
			require.NoError(t, err)
			s.router.Unbind(session, c)
		}
		require.Equal(t, bindings{"fox": protocol.Firefox}, s.router.Bindings())
		require.Zero(t, s.disk.saves)
	})
}
