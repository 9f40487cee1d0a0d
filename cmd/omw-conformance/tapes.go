package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/oh-my-webbridge/omw/conformance/evidence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// tapesBeside is where the tapes of a run are left whose stream is written to
// that file, unless the command line says otherwise.
func tapesBeside(out string) string {
	if out == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(out), "tapes")
}

// leaveTapes writes the tape of every scenario that failed into dir (KIT-08),
// and says where they are.
func leaveTapes(dir string, s *verdict.Stream, stderr io.Writer) error {
	if dir == "" {
		return nil
	}
	left := 0
	for _, e := range s.Finished {
		if e.Outcome != verdict.Failed {
			continue
		}
		t := evidence.Tape(e, s.Header.Seed)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("leave tapes: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, t.Name), t.Format(), 0o600); err != nil {
			return fmt.Errorf("leave a tape: %w", err)
		}
		left++
	}
	if left > 0 {
		_, _ = fmt.Fprintf(stderr, "tapes of what failed: %d in %s; omw sim play FILE plays one\n", left, dir)
	}
	return nil
}
