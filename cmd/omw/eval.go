package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func evalVerb() *verb {
	var file string
	return &verb{
		name: "eval", aliases: []string{"evaluate"}, action: "evaluate", short: "Run JavaScript in the page and print its value",
		long: `CODE is an expression, or the body of a function that returns; - reads it from standard input. A
string is printed as it is, anything else as JSON. Code that begins with - stands behind --.`,
		examples: []string{"eval 1+1", "eval 'document.title'", "eval --file probe.js", "eval - < probe.js"},
		words: []word{{name: "CODE", fills: []string{"code"}, take: func(r *request, text string) error {
			if text != "-" {
				return r.set("code", text)
			}
			return readCode(r, "standard input", r.program.in)
		}}},
		flags: func(fs *pflag.FlagSet, _ *request) {
			fs.StringVarP(&file, "file", "f", "", "read the code from this `file`")
		},
		begin: func(_ *program, r *request) error {
			if !r.flags.Changed("file") {
				return nil
			}
			f, err := os.Open(file)
			if err != nil {
				return err
			}
			defer f.Close()
			return readCode(r, file, f)
		},
	}
}

// readCode reads code of what may be sent at all, so that an endless input ends.
func readCode(r *request, name string, from io.Reader) error {
	limit := protocol.DefaultLimits().Body
	code, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case err != nil:
		return fmt.Errorf("read %s: %w", name, err)
	case int64(len(code)) > limit:
		return fmt.Errorf("%s has more than %d bytes, and no more may be sent", name, limit)
	case len(code) == 0:
		return fmt.Errorf("%s is empty", name)
	case r.has("code"):
		return errors.New("the code stands there twice")
	}
	return r.set("code", string(code))
}
