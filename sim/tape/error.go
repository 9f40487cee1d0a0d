package tape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Error is everything that is wrong with a tape.
type Error struct {
	// Name is the tape's.
	Name string
	// Faults are in the order of their lines.
	Faults []Fault
}

// Fault is one thing that is wrong.
type Fault struct {
	// Line is its number in the file, from 1.
	Line int
	// Problem says what is wrong, and what to do where that does not say itself.
	Problem string
}

// Error returns a line for each fault: file:line: what is wrong.
func (e *Error) Error() string {
	lines := make([]string, len(e.Faults))
	for i, f := range e.Faults {
		lines[i] = fmt.Sprintf("%s:%d: %s", e.Name, f.Line, f.Problem)
	}
	return strings.Join(lines, "\n")
}

// faults collects what is wrong with a tape.
type faults struct{ list []Fault }

func (f *faults) add(line int, format string, a ...any) {
	f.list = append(f.list, Fault{line, fmt.Sprintf(format, a...)})
}

// err returns the *Error of what was collected, nil if that is nothing.
func (f *faults) err(name string) error {
	if len(f.list) == 0 {
		return nil
	}
	slices.SortStableFunc(f.list, func(a, b Fault) int { return cmp.Compare(a.Line, b.Line) })
	return &Error{name, f.list}
}

// nearest says which of names was probably meant, "" if none is near.
func nearest(typed string, names []string) string {
	best, least := "", len(typed)/2+1
	for _, n := range names {
		if d := distance(typed, n); d < least {
			best, least = n, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is how many letters must be put in, taken out or changed to make b
// of a (Levenshtein's).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
