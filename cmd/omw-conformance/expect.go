package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// expectFlags are the files of expectations.
type expectFlags struct{ failing, flaky, skip []string }

func (f *expectFlags) add(fl *pflag.FlagSet) {
	fl.StringArrayVar(&f.failing, "expect-failures", nil,
		"a file of what must fail: a rule, a scenario or a check, #, the reason; a line each; may be given again")
	fl.StringArrayVar(&f.flaky, "expect-flaky", nil, "a file of what may fail, as --expect-failures; it is counted apart")
	fl.StringArrayVar(&f.skip, "skip", nil, "a file of what must not run, by rule or scenario, as --expect-failures; it never counts as passed")
}

// read reads all of them.
func (f *expectFlags) read() ([]verdict.Expectation, error) {
	var all []verdict.Expectation
	for _, of := range []struct {
		flag  string
		kind  verdict.ExpectKind
		paths []string
	}{
		{"--expect-failures", verdict.Failing, f.failing},
		{"--expect-flaky", verdict.Flaky, f.flaky},
		{"--skip", verdict.Skip, f.skip},
	} {
		for _, path := range of.paths {
			lines, err := readExpected(path, of.kind)
			if err != nil {
				return nil, fmt.Errorf("%s %s: %w", of.flag, path, err)
			}
			all = append(all, lines...)
		}
	}
	return all, nil
}

func readExpected(path string, kind verdict.ExpectKind) (all []verdict.Expectation, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return verdict.ReadExpectations(file, kind, path)
}
