package explore

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
)

// Print writes what a search found for people: the coverage as a table, steps
// down to one line a tape, then each violation with its tape. files are where
// the violations' tapes were written.
func Print(w io.Writer, f *Found, files []string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(table, "tape\tsteps")
	for _, fault := range Faults {
		_, _ = fmt.Fprintf(table, "\t%s", fault.Name)
	}
	_, _ = fmt.Fprintln(table)
	for _, row := range f.Coverage {
		_, _ = fmt.Fprintf(table, "%s\t%d", row.Tape, row.Steps)
		for _, fault := range Faults {
			_, _ = fmt.Fprintf(table, "\t%d", row.Played[fault.Name])
		}
		_, _ = fmt.Fprintln(table)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	others := "behind the others it makes no sense"
	if f.Single < f.Singles {
		others = "not all were played here"
	}
	_, err := fmt.Fprintf(w, "Each number counts the steps behind which the fault was played; %s.\n\n%s in %s: %d without a fault, %s with one, %d with two; seed %d\n",
		others, ofAll(f.Played, f.Planned, " schedules"), f.Took.Round(10*time.Millisecond), f.Bare, ofAll(f.Single, f.Singles, " (all there are)"), f.Double, f.Seed)
	for i, v := range f.Violations {
		if err != nil {
			return err
		}
		var at []string
		for _, p := range v.Faults {
			at = append(at, fmt.Sprintf("%s behind step %d", p.Fault, p.Step))
		}
		where := "found in " + v.Of
		if len(at) > 0 {
			where += " with " + strings.Join(at, " and ")
		}
		_, err = fmt.Fprintf(w, "\n! %s\n  %s; %s:\n\n%s\n  omw sim play %s\n", v.Broken, where, length(v), Indent(v.Text), files[i])
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "%d schedules, %s\n", f.Played, violations(len(f.Violations)))
	}
	return err
}

// ofAll is a count, and of how many where that is not the same.
func ofAll(n, all int, whole string) string {
	if n == all {
		return fmt.Sprintf("%d%s", n, whole)
	}
	return fmt.Sprintf("%d of %d", n, all)
}

func violations(n int) string {
	if n == 1 {
		return "1 violation"
	}
	return fmt.Sprintf("%d violations", n)
}

// length says how long a violation's tape is, and why it is no shorter.
func length(v Violation) string {
	switch {
	case v.Shrunk:
		return fmt.Sprintf("shrunk to %d lines", v.Lines)
	case v.Hangs:
		return fmt.Sprintf("its %d lines, since each try at a shorter tape might take as long", v.Lines)
	}
	return fmt.Sprintf("%d lines so far, not shrunk to the end", v.Lines)
}

// Indent returns a text as it stands in a report.
func Indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ") + "\n"
}
