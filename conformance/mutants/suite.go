package mutants

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// Read reads the patch files of a folder, each a mutant by its file's name.
func Read(fsys fs.FS) ([]Mutant, error) {
	names, err := fs.Glob(fsys, "*.mutant")
	if err != nil {
		return nil, err
	}
	var all []Mutant
	for _, name := range names {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, fmt.Errorf("read the patches: %w", err)
		}
		m, err := parse(strings.TrimSuffix(path.Base(name), ".mutant"), text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, m)
	}
	return all, nil
}

// BuildSuite builds the suite with a patched daemon in it into dir, and returns
// the program's path. The caller owns dir.
func (l *Laboratory) BuildSuite(ctx context.Context, m Mutant, dir string) (string, error) {
	replaced, err := overlay(l.Root, dir, m.Patches)
	if err != nil {
		return "", err
	}
	suite := filepath.Join(dir, "suite")
	return suite, l.build(ctx, replaced, suite, "./cmd/omw-conformance")
}
