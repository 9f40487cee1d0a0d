package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/oh-my-webbridge/omw/conformance/bundle"
	"github.com/oh-my-webbridge/omw/conformance/evidence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// bundlesBeside is where the bundles of a run are left whose stream is written
// to that file, "" if it is written nowhere.
func bundlesBeside(out string) string {
	if out == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(out), "bundles")
}

// leaveBundles writes a bundle of every scenario that failed into dir, and says
// how they fail again.
func leaveBundles(dir string, s *verdict.Stream, stderr io.Writer) error {
	if dir == "" {
		return nil
	}
	left, first := 0, ""
	for _, e := range s.Finished {
		if e.Outcome != verdict.Failed {
			continue
		}
		b := bundle.Of(s.Header, e, string(evidence.Tape(e, s.Header.Seed).Format()))
		text, err := b.Format()
		if err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("leave bundles: %w", err)
		}
		file := filepath.Join(dir, b.Name())
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return fmt.Errorf("leave a bundle: %w", err)
		}
		if left++; first == "" {
			first = file
		}
	}
	if left > 0 {
		_, _ = fmt.Fprintf(stderr, "bundles of what failed: %d in %s; to see one fail again: omw-conformance repro %s\n", left, dir, first)
	}
	return nil
}
