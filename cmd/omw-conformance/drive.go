package main

import (
	"context"
	"io"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/driver/cli"
	"github.com/oh-my-webbridge/omw/conformance/driver/sdk"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

func driveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "drive",
		Short: "put this project's own clients under test",
		Long: `drive speaks the driver's contract on standard input and output with a client of this project, so that it is judged as any
other one is: as a process that is asked for commands.

Exit codes: 0 it was told to stop, 2 usage, 6 the contract was broken.`,
		Example: `  omw-conformance run --role client --target "exec:bin/omw-conformance drive sdk"
  omw-conformance run --role client --target "exec:bin/omw-conformance drive cli"`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(&cobra.Command{
		Use:   "sdk",
		Short: "the Go SDK",
		Args:  cobra.NoArgs,
		RunE: drive(func(ctx context.Context, in io.Reader, out io.Writer) error {
			return sdk.Serve(ctx, in, out, conformance.Version, nil)
		}),
	})
	omw := filepath.Join(binDir(), "omw")
	command := &cobra.Command{
		Use:   "cli",
		Short: "the command omw, a process a command",
		Args:  cobra.NoArgs,
		RunE: drive(func(ctx context.Context, in io.Reader, out io.Writer) error {
			return cli.Serve(ctx, in, out, conformance.Version, omw)
		}),
	}
	command.Flags().StringVar(&omw, "omw", omw, "the `path` of omw")
	cmd.AddCommand(command)
	return cmd
}

// drive runs a client until it is told to stop.
func drive(serve func(ctx context.Context, in io.Reader, out io.Writer) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, _ []string) error {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		if err := serve(ctx, cmd.InOrStdin(), cmd.OutOrStdout()); err != nil {
			return &exitError{verdict.Fault, err}
		}
		return nil
	}
}
