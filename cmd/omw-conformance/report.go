package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// reportFlags are the flags of report.
type reportFlags struct {
	from        []string
	format, out string
}

func reportCommand() *cobra.Command {
	f := &reportFlags{}
	cmd := &cobra.Command{
		Use:   "report --from FILE",
		Short: "write the report of a run that was recorded with --out",
		Long: `report writes the report of an event stream, and ends with the exit code of the run. A stream without its footer was cut
short: no report, exit code 5.

Of a run that was divided with --shard all the parts are given, in any order, each with a --from of its own. They must be of one
suite, protocol, target, role, lane, seed, plan and expectations. One that is missing is exit code 5; one that is there twice, or
that is of another run, is exit code 2.

Exit codes:
` + verdict.Exits,
		Example: `  omw-conformance report --from run.ndjson --format html --out report.html
  omw-conformance report --from part-1.ndjson --from part-2.ndjson --format markdown >>"$GITHUB_STEP_SUMMARY"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.OutOrStdout()) },
	}
	cmd.Flags().StringArrayVar(&f.from, "from", nil, "the file of an event stream, - for standard input; again for each part of a run")
	cmd.Flags().StringVar(&f.format, "format", string(report.Console), formats())
	cmd.Flags().StringVar(&f.out, "out", "", "write the report to this file, whole or not at all (default standard output)")
	if err := cmd.MarkFlagRequired("from"); err != nil {
		panic(err)
	}
	return cmd
}

// formats names the formats, for a command's help.
func formats() string {
	names := make([]string, len(report.Formats))
	for i, f := range report.Formats {
		names[i] = string(f)
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

func (f *reportFlags) run(stdout io.Writer) error {
	format, err := report.Parse(f.format)
	if err != nil {
		return fmt.Errorf("--format: %w", err)
	}
	stream, err := f.read()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	v, err := report.Write(&b, format, stream)
	if err != nil {
		return fault(err)
	}
	if f.out != "" {
		if err := writeWhole(f.out, b.Bytes()); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return exit(v.Exit)
	}
	if _, err := stdout.Write(b.Bytes()); err != nil {
		return fault(fmt.Errorf("write the report: %w", err))
	}
	return exit(v.Exit)
}

// read reads the streams and makes them one.
func (f *reportFlags) read() (*verdict.Stream, error) {
	var parts []verdict.Recording
	for _, from := range f.from {
		stream, err := readStream(from)
		if err != nil {
			return nil, err
		}
		parts = append(parts, verdict.Recording{Name: from, Stream: stream})
	}
	stream, err := verdict.Merge(parts...)
	if errors.Is(err, verdict.ErrMissing) {
		return nil, &exitError{code: verdict.NotRun, err: err}
	}
	return stream, err
}

// writeWhole replaces a file at once, so that nobody reads half of it.
func writeWhole(path string, data []byte) error {
	file, err := os.CreateTemp(filepath.Dir(path), ".omw-report-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }()
	_, err = file.Write(data)
	if err := errors.Join(err, file.Chmod(0o644), file.Close()); err != nil {
		return err
	}
	return os.Rename(file.Name(), path)
}

func readStream(from string) (stream *verdict.Stream, err error) {
	var in io.Reader = os.Stdin
	if from != "-" {
		file, err := os.Open(from)
		if err != nil {
			return nil, fmt.Errorf("--from: %w", err)
		}
		defer func() { _ = file.Close() }()
		in = file
	}
	stream, err = verdict.Read(in)
	if errors.Is(err, verdict.ErrCut) {
		return nil, &exitError{code: verdict.NotRun, err: fmt.Errorf("%s: %w", from, err)}
	}
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", from, err)
	}
	return stream, nil
}
