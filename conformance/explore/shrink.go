package explore

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/sim/tape"
)

// Kind is the kind of a violation: what stands before the first colon.
func Kind(broken string) string {
	kind, _, _ := strings.Cut(broken, ":")
	return kind
}

// errHangs ends the shrinking of a tape: the next try might hang as well, and
// each takes its whole patience.
var errHangs = errors.New("it hangs")

// shrink returns the violation with the shortest tape that still breaks the same
// invariant, or with the shortest so far if it hangs or ctx ends. A tape that
// cannot be played is the error.
func (e *Exploration) shrink(ctx context.Context, v Violation) (Violation, error) {
	err := errHangs
	if !v.Hangs {
		err = e.shorten(ctx, &v)
	}
	if err != nil && !errors.Is(err, errHangs) && ctx.Err() == nil {
		return v, err
	}
	v.Shrunk = err == nil
	out := clone(v.Tape)
	out.Head = []string{"Found by the explorer: " + v.Broken + "."}
	v.Tape, v.Text, v.Lines = out, string(out.Format()), len(out.Lines)
	return v, nil
}

// shorten takes lines out of the tape as long as it still breaks the same
// invariant, and then shortens the times that are left.
func (e *Exploration) shorten(ctx context.Context, v *Violation) error {
	still := func(t *tape.Tape) (bool, error) {
		t.Files = used(t)
		if t.Check() != nil {
			return false, nil
		}
		played, err := e.again(ctx, t, v.Strict)
		if err != nil || Kind(played.Broken) != Kind(v.Broken) {
			return false, err
		}
		v.Broken = played.Broken
		return true, nil
	}
	if err := e.doable(ctx, v); err != nil {
		return err
	}
	for {
		shorter, err := withoutOne(v.Tape, still)
		if err != nil {
			return err
		}
		if shorter == nil {
			break
		}
		v.Tape = shorter
	}
	return quicker(&v.Tape, still)
}

// again plays a tape once more.
func (e *Exploration) again(ctx context.Context, t *tape.Tape, strict bool) (Played, error) {
	played, err := e.play(ctx, t, strict)
	if err == nil && played.Hangs {
		err = errHangs
	}
	return played, err
}

// doable takes the lines out that cannot be done, so that the tape breaks the
// invariant also when it is played to the first line that fails. If it then does
// not, it is left as it is, and is not strict.
func (e *Exploration) doable(ctx context.Context, v *Violation) error {
	t := v.Tape
	for range len(t.Lines) {
		played, err := e.again(ctx, t, false)
		if err != nil {
			return err
		}
		if len(played.Missed) == 0 {
			break
		}
		// One at a time: what failed behind it may have failed for that.
		t = without(t, played.Missed[0])
	}
	t.Files = used(t)
	if t.Check() != nil {
		return nil
	}
	played, err := e.again(ctx, t, true)
	if err == nil && Kind(played.Broken) == Kind(v.Broken) {
		v.Tape, v.Strict = t, true
	}
	return err
}

// withoutOne returns the tape without one of its lines, and without the lines
// that cannot stand without it; nil if each is needed.
func withoutOne(t *tape.Tape, still func(*tape.Tape) (bool, error)) (*tape.Tape, error) {
	// From the end, since what comes last depends on what came before.
	for i := len(t.Lines) - 1; i >= 0; i-- {
		out := without(t, i)
		ok, err := still(out)
		if err != nil {
			return nil, err
		}
		if ok {
			return out, nil
		}
	}
	return nil, nil
}

// without takes the line at i out, and the ones that name an id which is then
// nobody's.
func without(t *tape.Tape, i int) *tape.Tape {
	out := clone(t)
	gone := out.Lines[i]
	out.Lines = slices.Delete(out.Lines, i, i+1)
	if gone.Verb != "do" && gone.Verb != "send" && gone.Verb != "ask" {
		return out
	}
	id := gone.Word(0)
	out.Lines = slices.DeleteFunc(out.Lines, func(l tape.Line) bool {
		first := l.Word(0)
		return l.Acts() && (first == id || strings.HasPrefix(first, id+"."))
	})
	return out
}

// quicker shortens each pause as far as the tape stays broken.
func quicker(t **tape.Tape, still func(*tape.Tape) (bool, error)) error {
	for i := range (*t).Lines {
		for _, d := range []time.Duration{time.Millisecond, time.Second} {
			if (*t).Lines[i].Wait <= d {
				break
			}
			out := clone(*t)
			out.Lines[i].Wait = d
			ok, err := still(out)
			if err != nil {
				return err
			}
			if ok {
				*t = out
				break
			}
		}
	}
	return nil
}

// used are the payloads that a line still names.
func used(t *tape.Tape) []tape.File {
	return slices.DeleteFunc(slices.Clone(t.Files), func(f tape.File) bool {
		return !slices.ContainsFunc(t.Lines, func(l tape.Line) bool {
			return slices.Contains(l.Words, f.Name) || slices.ContainsFunc(l.Args, func(a tape.Arg) bool { return a.Value == f.Name })
		})
	})
}
