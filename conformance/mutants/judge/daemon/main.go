// Command daemon judges the daemon of this project with a patch in it.
package main

import (
	"log/slog"

	"github.com/oh-my-webbridge/omw/conformance"
	"github.com/oh-my-webbridge/omw/conformance/mutants/judge"
	"github.com/oh-my-webbridge/omw/conformance/steps"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func main() {
	judge.Judge{
		Target: func(string) (target.Target, error) {
			return &target.InProcess{New: func(dir string, l protocol.Limits, log *slog.Logger) (target.Server, error) {
				return daemon.New(daemon.Config{Dir: dir, Version: conformance.Version, Limits: l, Log: log})
			}}, nil
		},
		Register: steps.Register,
	}.Main()
}
