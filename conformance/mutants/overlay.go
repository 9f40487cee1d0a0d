package mutants

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// overlay writes the patched copies of the source below root into dir, and the
// file that go build -overlay reads, whose path it returns. Text that does not
// stand in its file exactly once is an error: the mutant is older than the
// source and breaks nothing any more.
func overlay(root, dir string, patches []Patch) (string, error) {
	sources := map[string]string{}
	for _, p := range patches {
		text, ok := sources[p.File]
		if !ok {
			b, err := os.ReadFile(filepath.Join(root, p.File))
			if err != nil {
				return "", fmt.Errorf("read the source: %w", err)
			}
			text = string(b)
		}
		if n := strings.Count(text, p.Old); n != 1 {
			return "", fmt.Errorf("%s: the text to replace stands there %d times and must stand once: %.60q", p.File, n, p.Old)
		}
		sources[p.File] = strings.Replace(text, p.Old, p.New, 1)
	}
	replace := map[string]string{}
	for file, text := range sources {
		copied := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("write the patched source: %w", err)
		}
		replace[filepath.Join(root, file)] = copied
	}
	b, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		return "", fmt.Errorf("write the overlay: %w", err)
	}
	return file, nil
}
