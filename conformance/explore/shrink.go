package explore

import (
	"context"
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

// shrink takes lines out of the tape as long as it still breaks the same
// invariant, and then shortens the times that are left.
func shrink(ctx context.Context, play Play, v Violation) (Violation, error) {
	still := func(t *tape.Tape) (bool, error) {
		t.Files = used(t)
		if t.Check() != nil {
			return false, nil
		}
		played, err := play(ctx, t, v.Strict)
		if err != nil || Kind(played.Broken) != Kind(v.Broken) {
			return false, err
		}
		v.Broken = played.Broken
		return true, nil
	}
	var err error
	if v.Shrunk, v.Strict, err = doable(ctx, play, v); err != nil {
		return v, err
	}
	for {
		shorter, err := withoutOne(v.Shrunk, still)
		if err != nil {
			return v, err
		}
		if shorter == nil {
			break
		}
		v.Shrunk = shorter
	}
	final, err := quicker(v.Shrunk, still)
	if err != nil {
		return v, err
	}
	v.Shrunk = final
	v.Shrunk.Head = []string{"Found by the explorer: " + v.Broken + "."}
	v.Text, v.Lines = string(v.Shrunk.Format()), len(v.Shrunk.Lines)
	return v, nil
}

// doable returns the tape without the lines that cannot be done, so that it
// breaks the invariant also when it is played to the first line that fails; as it
// is, and false, if it then does not.
func doable(ctx context.Context, play Play, v Violation) (*tape.Tape, bool, error) {
	t := v.Shrunk
	for range len(t.Lines) {
		played, err := play(ctx, t, false)
		if err != nil {
			return nil, false, err
		}
		if len(played.Missed) == 0 {
			break
		}
		// One at a time: what failed behind it may have failed for that.
		t = without(t, played.Missed[0])
	}
	t.Files = used(t)
	if t.Check() != nil {
		return v.Shrunk, false, nil
	}
	played, err := play(ctx, t, true)
	if err != nil {
		return nil, false, err
	}
	if Kind(played.Broken) != Kind(v.Broken) {
		return v.Shrunk, false, nil
	}
	return t, true, nil
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

// quicker shortens each pause and each timeout as far as the tape stays broken.
func quicker(t *tape.Tape, still func(*tape.Tape) (bool, error)) (*tape.Tape, error) {
	for i := range t.Lines {
		for _, d := range []time.Duration{time.Millisecond, time.Second} {
			if t.Lines[i].Wait <= d {
				break
			}
			out := clone(t)
			out.Lines[i].Wait = d
			ok, err := still(out)
			if err != nil {
				return nil, err
			}
			if ok {
				t = out
				break
			}
		}
	}
	return t, nil
}

// used are the payloads that a line still names.
func used(t *tape.Tape) []tape.File {
	return slices.DeleteFunc(slices.Clone(t.Files), func(f tape.File) bool {
		return !slices.ContainsFunc(t.Lines, func(l tape.Line) bool {
			return slices.Contains(l.Words, f.Name) || slices.ContainsFunc(l.Args, func(a tape.Arg) bool { return a.Value == f.Name })
		})
	})
}
