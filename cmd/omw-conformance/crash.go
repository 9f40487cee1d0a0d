package main

import (
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// module is what the names of this project's functions begin with.
const module = "github.com/oh-my-webbridge/omw/"

// blame says whose fault a crash is from what the runtime wrote about it: that
// of the target in the process, if the first function of this project in the
// goroutine that crashed is the daemon's, else the suite's.
func blame(crash string) verdict.Exit {
	_, stack, _ := strings.Cut(crash, "\ngoroutine ")
	for line := range strings.Lines(stack) {
		if strings.TrimSpace(line) == "" {
			break
		}
		if rest, found := strings.CutPrefix(line, module); found {
			if strings.HasPrefix(rest, "daemon") {
				return verdict.Died
			}
			return verdict.Fault
		}
	}
	return verdict.Fault
}

// firstLine is what a crash says of itself.
func firstLine(crash string) string {
	line, _, _ := strings.Cut(crash, "\n")
	return strings.TrimSpace(line)
}
