package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance/report"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

func reportCommand() *cobra.Command {
	var from, format string
	cmd := &cobra.Command{
		Use:   "report --from FILE",
		Short: "write the report of a run that was recorded with --out",
		Long: `report writes the report of an event stream, and ends with the exit code of the run. A stream without its footer was cut
short: no report, exit code 5.

Exit codes:
` + verdict.Exits,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f, err := report.Parse(format)
			if err != nil {
				return fmt.Errorf("--format: %w", err)
			}
			stream, err := readStream(from)
			if err != nil {
				return err
			}
			v, err := report.Write(cmd.OutOrStdout(), f, stream)
			if err != nil {
				return fault(err)
			}
			return exit(v.Exit)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "the file of the event stream, - for standard input")
	cmd.Flags().StringVar(&format, "format", string(report.Console), "console, junit or json")
	if err := cmd.MarkFlagRequired("from"); err != nil {
		panic(err)
	}
	return cmd
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
		return nil, &exitError{code: verdict.NotRun, err: err}
	}
	if err != nil {
		return nil, fmt.Errorf("--from %s: %w", from, err)
	}
	return stream, nil
}
