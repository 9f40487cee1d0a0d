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

// beside is the folder of that name beside the file to which a run's stream is
// written, "" if it is written nowhere.
func beside(out, folder string) string {
	if out == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(out), folder)
}

// leaveTapes writes the tape of every scenario that failed into dir (KIT-08),
// and says where they are.
func leaveTapes(dir string, s *verdict.Stream, stderr io.Writer) error {
	left, err := leave(dir, "tape", s, func(e *verdict.Finished) (string, []byte, error) {
		t := evidence.Tape(e, s.Header.Seed)
		return t.Name, t.Format(), nil
	})
	if len(left) > 0 {
		_, _ = fmt.Fprintf(stderr, "tapes of what failed: %d in %s; omw sim play FILE plays one\n", len(left), dir)
	}
	return err
}

// leaveBundles writes a bundle of every scenario that failed into dir, and says
// how they fail again.
func leaveBundles(dir string, s *verdict.Stream, stderr io.Writer) error {
	left, err := leave(dir, "bundle", s, func(e *verdict.Finished) (string, []byte, error) {
		b := bundle.Of(s.Header, e, string(evidence.Tape(e, s.Header.Seed).Format()))
		text, err := b.Format()
		return b.Name(), text, err
	})
	if len(left) > 0 {
		_, _ = fmt.Fprintf(stderr, "bundles of what failed: %d in %s; to see one fail again: omw-conformance repro %s\n", len(left), dir, left[0])
	}
	return err
}

// leave writes one file for every scenario that failed into dir, which it makes
// when there is one, and returns their paths. They are for their owner alone.
func leave(dir, what string, s *verdict.Stream, of func(*verdict.Finished) (name string, text []byte, err error)) ([]string, error) {
	var left []string
	for _, e := range s.Finished {
		if dir == "" || e.Outcome != verdict.Failed {
			continue
		}
		name, text, err := of(e)
		if err != nil {
			return left, fmt.Errorf("leave a %s: %w", what, err)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return left, fmt.Errorf("leave a %s: %w", what, err)
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, text, 0o600); err != nil {
			return left, fmt.Errorf("leave a %s: %w", what, err)
		}
		left = append(left, file)
	}
	return left, nil
}
