package explore

import (
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Fault is one thing that goes wrong at a step of a tape. A fault is a small
// change of the tape's text, so that whatever is found is a tape again.
type Fault struct {
	// Name is one word.
	Name string
	// Doc says what goes wrong.
	Doc string
	// insert returns the tape with the fault behind the line at that index; false
	// if it makes no sense there.
	insert func(t *tape.Tape, at int) (*tape.Tape, bool)
}

// Faults are the faults that are tried at every step of every tape.
var Faults = []Fault{
	{"drop", "the browser's connection is reset", behind(func(s scene) []tape.Line {
		return lines(s.browser, "drop rst")
	})},
	{"reconnect", "the browser's connection ends, and it connects again at once", behind(func(s scene) []tape.Line {
		return append(lines(s.browser, "drop fin"), s.back()...)
	})},
	{"restart", "the daemon restarts, and the browser connects again", behind(func(s scene) []tape.Line {
		return append(lines("daemon", "restart"), s.back()...)
	})},
	{"suspend", "the browser stops the extension's background, and starts it again", behind(func(s scene) []tape.Line {
		if s.runs {
			return append(lines(s.browser, "suspend"), pause(31*time.Second))
		}
		return lines(s.browser, "suspend", "resume")
	})},
	{"stall", "the extension is frozen for three seconds", behind(func(s scene) []tape.Line {
		return slices.Concat(lines(s.browser, "stall"), []tape.Line{pause(3 * time.Second)}, lines(s.browser, "thaw"))
	})},
	{"silence", "the extension is frozen for longer than the daemon waits for it", behind(func(s scene) []tape.Line {
		return slices.Concat(lines(s.browser, "stall"), []tape.Line{pause(46 * time.Second)}, lines(s.browser, "thaw"))
	})},
	{"busy", "the browser answers its next command busy", behind(func(s scene) []tape.Line {
		return lines(s.browser, "busy")
	})},
	{"cut", "the browser's connection ends in the middle of what it says next", behind(func(s scene) []tape.Line {
		return lines(s.browser, "cut after=9 by=rst")
	})},
	{"unread", "the browser's connection ends when the next command arrives, and nothing reads it", behind(func(s scene) []tape.Line {
		return lines(s.browser, "drop rst unread")
	})},
	{"hang-up", "the agent hangs up on its last request", behind(func(s scene) []tape.Line {
		if s.asked == "" {
			return nil
		}
		return lines(s.agent, "hang-up "+s.asked)
	})},
	{"duplicate", "the browser says its last answer again", behind(func(s scene) []tape.Line {
		if s.answered == "" {
			return nil
		}
		return lines(s.browser, "replay "+s.answered)
	})},
	{"late", "the browser's next answer comes three seconds late", late},
	{"reorder", "the browser's next two answers change places", reorder},
}

// scene is what a step of a tape knows of the actors around it.
type scene struct {
	// browser is the one that acted last, or acts next.
	browser string
	// runs: it connects again by itself.
	runs bool
	// agent sent the last request, whose id is asked.
	agent, asked string
	// answered is the id of the last command that the browser answered.
	answered string
}

// back is how the scene's browser comes back after its connection has ended.
func (s scene) back() []tape.Line {
	if s.runs {
		return []tape.Line{pause(2 * time.Second)}
	}
	return lines(s.browser, "join")
}

// around returns the scene at a step; false if no browser ever acts.
func around(t *tape.Tape, at int) (scene, bool) {
	var s scene
	for i := range t.Lines {
		l := &t.Lines[i]
		role := tape.RoleOf(l.Actor)
		switch {
		case i > at && s.browser != "":
			continue
		case role == tape.Browser:
			s.browser = l.Actor
			if v := tape.Lookup(role, l.Verb); i <= at && v != nil && v.Reply {
				s.answered = l.Word(0)
			}
		case role == tape.Agent && i <= at && (l.Verb == "do" || l.Verb == "send"):
			if _, many := l.Arg("times"); !many {
				s.agent, s.asked = l.Actor, l.Word(0)
			}
		case role == tape.Agent && i <= at && l.Verb == "hang-up" && l.Word(0) == s.asked:
			s.asked = ""
		}
	}
	s.runs = slices.ContainsFunc(t.Lines, func(l tape.Line) bool { return l.Actor == s.browser && l.Verb == "run" })
	return s, s.browser != ""
}

// behind makes a fault of lines that stand behind the step.
func behind(of func(scene) []tape.Line) func(*tape.Tape, int) (*tape.Tape, bool) {
	return func(t *tape.Tape, at int) (*tape.Tape, bool) {
		s, ok := around(t, at)
		if !ok {
			return nil, false
		}
		more := of(s)
		if len(more) == 0 {
			return nil, false
		}
		out := clone(t)
		out.Lines = slices.Insert(out.Lines, at+1, more...)
		return out, true
	}
}

// replies are the indices of the next n lines behind at in which a browser
// answers.
func replies(t *tape.Tape, at, n int) []int {
	var all []int
	for i := at + 1; i < len(t.Lines) && len(all) < n; i++ {
		l := &t.Lines[i]
		if tape.RoleOf(l.Actor) == tape.Browser && (l.Verb == "reply" || l.Verb == "release" && l.Word(0) != "all" || l.Verb == "error") {
			all = append(all, i)
		}
	}
	return all
}

// late has the next answer come by itself, three seconds after its line.
func late(t *tape.Tape, at int) (*tape.Tape, bool) {
	next := replies(t, at, 1)
	if len(next) < 1 || t.Lines[next[0]].Verb != "reply" {
		return nil, false
	}
	out := clone(t)
	l := &out.Lines[next[0]]
	l.Verb = "late"
	l.Args = slices.DeleteFunc(slices.Clone(l.Args), func(a tape.Arg) bool { return a.Key == "within" })
	l.Args = append(l.Args, tape.Arg{Key: "after", Value: "3s"})
	return out, true
}

// reorder has the next two answers change places.
func reorder(t *tape.Tape, at int) (*tape.Tape, bool) {
	next := replies(t, at, 2)
	if len(next) < 2 {
		return nil, false
	}
	out := clone(t)
	a, b := next[0], next[1]
	out.Lines[a], out.Lines[b] = out.Lines[b], out.Lines[a]
	return out, true
}

func clone(t *tape.Tape) *tape.Tape {
	out := *t
	out.Lines = slices.Clone(t.Lines)
	return &out
}

func pause(d time.Duration) tape.Line { return tape.Line{Wait: d} }

// lines are what an actor does, each as it would be written.
func lines(actor string, texts ...string) []tape.Line {
	var all []tape.Line
	for _, text := range texts {
		l := tape.Line{Actor: actor}
		for i, word := range strings.Fields(text) {
			key, value, named := strings.Cut(word, "=")
			switch {
			case i == 0:
				l.Verb = word
			case named:
				l.Args = append(l.Args, tape.Arg{Key: key, Value: value})
			default:
				l.Words = append(l.Words, word)
			}
		}
		all = append(all, l)
	}
	return all
}
