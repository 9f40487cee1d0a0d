package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// release is the version of a build that no module version names.
const release = "0.1.0"

func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return release
}

func (p *program) versionVerb() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: `  omw version`,
		Args:    cobra.NoArgs,
		RunE: p.verb(func(*cobra.Command, []string) error {
			if p.json {
				return writeJSON(p.out, map[string]string{"version": version(), "protocol": protocol.Version})
			}
			_, err := fmt.Fprintf(p.out, "omw %s (%s)\n", version(), protocol.Version)
			return err
		}),
	}
}
