// Command gen writes the typed calls of package client from the JSON Schemas of
// package protocol: a method an action, with a struct for its arguments and one
// for its data.
package main

import (
	"fmt"
	"os"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// output stands in the directory of the go:generate line.
const output = "actions_gen.go"

func main() {
	src, err := generate(protocol.Schemas(), protocol.Actions())
	if err == nil {
		err = os.WriteFile(output, src, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
