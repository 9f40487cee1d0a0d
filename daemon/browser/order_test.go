package browser_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/browser"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// three are three commands of one session, admitted in the order of their
// names; a has a second less than the others.
type three struct{ a, b, c *browser.Call }

func (s *scene) three(t *testing.T) three {
	a, err := s.tryAdmit("click", "shop", due-time.Second)
	require.NoError(t, err)
	return three{a, s.admit("click", "shop"), s.admit("click", "shop")}
}

// seen returns the args of the commands that have come before a probe that
// passes every queue but the writer's.
func (s *scene) seen() []string {
	s.t.Helper()
	seen := []string{}
	s.admit("dialog", "probe").Notify([]byte("{}"))
	for {
		c, ok := s.ext.Next().(*protocol.CommandFrame)
		require.True(s.t, ok)
		if c.Session == "probe" {
			s.ext.Answer(c, "{}")
			return seen
		}
		seen = append(seen, string(c.Args))
	}
}

func send(c *browser.Call, name string) { c.Send([]byte(`{"n":"` + name + `"}`)) }

// Commands of one session go out in the order of their admission, whatever
// becomes ready first, and none waits for one that will not go.
func TestOrderOfASession(t *testing.T) {
	for _, tc := range []struct {
		name string
		do   func(s *scene, x three)
		want []string
	}{
		{"all are ready in their order", func(_ *scene, x three) {
			send(x.a, "a")
			send(x.b, "b")
			send(x.c, "c")
		}, []string{"a", "b", "c"}},
		{"all are ready backwards", func(_ *scene, x three) {
			send(x.c, "c")
			send(x.b, "b")
			send(x.a, "a")
		}, []string{"a", "b", "c"}},
		{"the first is not ready", func(_ *scene, x three) {
			send(x.b, "b")
			send(x.c, "c")
		}, nil},
		{"one in the middle is not ready", func(_ *scene, x three) {
			send(x.a, "a")
			send(x.c, "c")
		}, []string{"a"}},
		{"the first is dropped before the others are ready", func(_ *scene, x three) {
			x.a.Drop()
			send(x.c, "c")
			send(x.b, "b")
		}, []string{"b", "c"}},
		{"the first is dropped when the others are ready", func(_ *scene, x three) {
			send(x.b, "b")
			send(x.c, "c")
			x.a.Drop()
		}, []string{"b", "c"}},
		{"one in the middle is dropped", func(_ *scene, x three) {
			send(x.c, "c")
			x.b.Drop()
			send(x.a, "a")
		}, []string{"a", "c"}},
		{"the last is dropped", func(_ *scene, x three) {
			x.c.Drop()
			send(x.b, "b")
			send(x.a, "a")
		}, []string{"a", "b"}},
		{"all are dropped", func(_ *scene, x three) {
			x.b.Drop()
			x.a.Drop()
			x.c.Drop()
		}, nil},
		{"the first expires before it is ready", func(_ *scene, x three) {
			send(x.b, "b")
			send(x.c, "c")
			time.Sleep(due - time.Second)
			send(x.a, "a")
		}, []string{"b", "c"}},
		{"the first expires and is dropped", func(_ *scene, x three) {
			time.Sleep(due - time.Second)
			x.a.Drop()
			send(x.b, "b")
			send(x.c, "c")
		}, []string{"b", "c"}},
		{"another session does not wait", func(s *scene, x three) {
			send(x.b, "b")
			send(s.admit("click", "mail"), "mail")
		}, []string{"mail"}},
		{"what is reserved does not wait", func(s *scene, x three) {
			send(x.b, "b")
			send(s.admit("close_session", "shop"), "close")
			send(s.admit("dialog", "shop"), "dialog")
			send(s.admit("artifact_read", "shop"), "read")
		}, []string{"close", "dialog", "read"}},
		{"what comes after the first has gone waits for the rest", func(s *scene, x three) {
			send(x.a, "a")
			send(s.admit("click", "shop"), "d")
			send(x.b, "b")
		}, []string{"a", "b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				x := s.three(t)
				tc.do(s, x)
				want := []string{}
				for _, name := range tc.want {
					want = append(want, `{"n":"`+name+`"}`)
				}
				require.Equal(t, want, s.seen())
			})
		})
	}
}

// A session is over when its close_session was its last word.
func TestSessionIsEndedByItsClose(t *testing.T) {
	for _, tc := range []struct {
		name         string
		before, when func(s *scene) // the close is sent, and when it is answered
		ended        bool
	}{
		{"nothing else", nil, nil, true},
		{"one before it, in flight", func(s *scene) { s.send("click", "shop") }, nil, true},
		{"one of another session", nil, func(s *scene) { s.send("click", "mail") }, true},
		{"one that binds nothing", nil, func(s *scene) { s.send("tabs", "shop") }, true},
		{"one behind it, in flight", nil, func(s *scene) { s.send("click", "shop") }, false},
		{"one behind it, answered by now", nil, func(s *scene) {
			c := s.send("click", "shop")
			s.ext.Command("close_session")
			s.ext.Answer(s.ext.Command("click"), "{}")
			waited(c).Free()
		}, false},
		{"one on its way", nil, func(s *scene) { s.admit("click", "shop") }, false},
		{"one that was on its way before", func(s *scene) { s.admit("click", "shop") }, nil, false},
		{"one behind it that was dropped", nil, func(s *scene) { s.admit("click", "shop").Drop() }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				s.hello()
				if tc.before != nil {
					tc.before(s)
				}
				c := s.send("close_session", "shop")
				if tc.when != nil {
					tc.when(s)
				}
				require.Equal(t, tc.ended, s.link.EndedBy(c))
				if tc.ended {
					again := s.send("close_session", "shop")
					require.True(t, s.link.EndedBy(again), "what was is forgotten")
				}
			})
		})
	}
}
