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
	_, err := fmt.Fprintf(w, "Each number counts the steps behind which the fault was played; behind the others it makes no sense.\n\n%d schedules in %s: %d tapes without a fault, %d with one (all there are), %d with two; seed %d\n",
		f.Played, f.Took.Round(10*time.Millisecond), f.Bare, f.Single, f.Double, f.Seed)
	for i, v := range f.Violations {
		if err != nil {
			return err
		}
		var at []string
		for _, p := range v.Faults {
			at = append(at, fmt.Sprintf("%s behind step %d", p.Fault, p.Step))
		}
		_, err = fmt.Fprintf(w, "\n! %s\n  found in %s with %s; shrunk to %d lines:\n\n%s\n  omw sim play %s\n",
			v.Broken, v.Of, strings.Join(at, " and "), v.Lines, Indent(v.Text), files[i])
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "%d schedules, %d violations\n", f.Played, len(f.Violations))
	}
	return err
}

// Indent returns a text as it stands in a report.
func Indent(s string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n    ") + "\n"
}
