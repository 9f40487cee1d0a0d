package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/oh-my-webbridge/omw/conformance/explore"
	"github.com/oh-my-webbridge/omw/conformance/mutants"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// plantedSchedules is how many schedules each planted fault has to be found in:
// all with one fault, and some with two.
const plantedSchedules = 2000

// unplant looks for each planted fault, and says which was found and how short
// its tape is.
func (f *exploreFlags) unplant(ctx context.Context, stdout io.Writer) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	fsys, err := explore.Planted()
	if err != nil {
		return fault(err)
	}
	all, err := mutants.Read(fsys)
	if err != nil {
		return fault(err)
	}
	missed := 0
	for _, m := range all {
		found, err := f.look(ctx, &mutants.Laboratory{Root: root}, m)
		if ctx.Err() != nil {
			return &exitError{verdict.NotRun, errInterrupted}
		}
		if err != nil {
			return fault(fmt.Errorf("%s: %w", m.Name, err))
		}
		said, ok := foundAs(found)
		if !ok {
			missed++
		}
		_, _ = fmt.Fprintf(stdout, "%-20s %s  %s\n", m.Name, said, m.Breaks)
		if ok {
			_, _ = fmt.Fprintf(stdout, "\n%s\n", explore.Indent(found.Violations[0].Text))
		}
	}
	_, _ = fmt.Fprintf(stdout, "%d planted, %d found, %d missed\n", len(all), len(all)-missed, missed)
	if missed > 0 {
		return exit(verdict.Nonconformant)
	}
	return nil
}

// moduleRoot is the directory of the module's source, in which what needs it is
// run.
func moduleRoot() (string, error) {
	root, err := os.Getwd()
	if err != nil {
		return "", fault(err)
	}
	if _, err := os.Stat(filepath.Join(root, "daemon", "protocol")); err != nil {
		return "", errors.New("this is run in the directory of the module's source")
	}
	return root, nil
}

// foundAs says what was found of a planted fault, and whether that is enough.
func foundAs(found *explore.Found) (string, bool) {
	if len(found.Violations) == 0 {
		return fmt.Sprintf("not found in %d schedules", found.Played), false
	}
	v := found.Violations[0]
	said := fmt.Sprintf("found in %d schedules, shrunk to %d lines (%s)", found.Played, v.Lines, explore.Kind(v.Broken))
	return said, v.Lines <= explore.MostLines && v.Strict
}

// look builds the suite with the planted fault in it and lets it explore.
func (f *exploreFlags) look(ctx context.Context, l *mutants.Laboratory, m mutants.Mutant) (*explore.Found, error) {
	dir, err := os.MkdirTemp(memory(), "planted-")
	if err != nil {
		return nil, fmt.Errorf("make room: %w", err)
	}
	defer os.RemoveAll(dir)
	suite, err := l.BuildSuite(ctx, m, dir)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, suite, "explore", "--json", "--seed", strconv.FormatUint(f.seed, 10),
		"--schedules", strconv.Itoa(plantedSchedules), "--out", filepath.Join(dir, "out"))
	cmd.Dir = dir
	out, err := cmd.Output()
	if ended, ok := errors.AsType[*exec.ExitError](err); err != nil && (!ok || ended.ExitCode() != int(verdict.Nonconformant)) {
		return nil, fmt.Errorf("explore: %w: %s", err, out)
	}
	var found explore.Found
	if err := json.Unmarshal(out, &found); err != nil {
		return nil, fmt.Errorf("read what was found: %w", err)
	}
	return &found, nil
}
