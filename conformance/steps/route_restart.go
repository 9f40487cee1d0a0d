package steps

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

func registerRestart(sc sentences, r *route) {
	sc.When(`^the daemon is (stopped|killed)$`, r.ends)
	sc.When(`^the daemon is started again$`, r.starts)
	sc.When(`^the daemon is (stopped|killed) and started again$`, r.restarts)
	sc.When(`^bindings\.json becomes «(.*)»$`, r.fileBecomes)
	sc.When(`^(Chrome|Firefox) connects$`, r.isConnected)
	sc.Then(`^the config directory holds nothing but its own files$`, r.nothingElse)
}

func (r *route) ends(ctx context.Context, how string) error {
	d, err := r.w.Daemon(ctx)
	if err != nil {
		return err
	}
	if how == "killed" {
		err = d.Kill(ctx)
	} else {
		err = d.Stop(ctx)
	}
	if err != nil {
		return err
	}
	for _, b := range r.browsers {
		if !r.reached(ctx, b.hasEnded) {
			return fmt.Errorf("%s's connection outlives the daemon", b.Profile().Browser.Title())
		}
	}
	return nil
}

func (r *route) starts(ctx context.Context) error {
	d, err := r.w.Daemon(ctx)
	if err != nil {
		return err
	}
	return d.Start(ctx)
}

func (r *route) restarts(ctx context.Context, how string) error {
	if err := r.ends(ctx, how); err != nil {
		return err
	}
	return r.starts(ctx)
}

func (r *route) fileBecomes(ctx context.Context, content string) error {
	file, err := r.file(ctx)
	if err != nil {
		return err
	}
	return os.WriteFile(file, []byte(content), 0o600)
}

func (r *route) nothingElse(ctx context.Context) error {
	file, err := r.file(ctx)
	if err != nil {
		return err
	}
	dir := filepath.Dir(file)
	for _, place := range []struct {
		dir  string
		good []string
	}{
		{dir, []string{"config.json", "bindings.json"}},
		{filepath.Dir(dir), []string{filepath.Base(dir)}},
	} {
		found, err := os.ReadDir(place.dir)
		if err != nil {
			return fmt.Errorf("look around: %w", err)
		}
		for _, f := range found {
			if !slices.Contains(place.good, f.Name()) && f.Type().IsRegular() != (place.dir != dir) {
				return r.w.Fail("strays", "%q lies beside the daemon's own files", f.Name())
			}
		}
	}
	return nil
}
