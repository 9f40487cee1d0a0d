package steps

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// registerDisks adds the sentences about disks that take no file:
//
//	a disk with room for 65536 bytes             a disk that is read-only
//	the agent sends a screenshot A to a file on that disk
//	a screenshot A to a file on that disk that Chrome is working on
//	nothing is left on that disk
func registerDisks(sc sentences, f *files) {
	d := &disks{files: f}
	sc.Given(`^a disk with room for ([0-9]+) bytes$`, func(bytes string) error { return d.mount("size="+bytes, false) })
	sc.Given(`^a disk that is read-only$`, func() error { return d.mount("size=65536", true) })
	sc.When(`^the agent sends a screenshot ([A-Z]) to a file on that disk$`, d.send)
	sc.Given(`^a screenshot ([A-Z]) to a file on that disk that (?:Chrome|Firefox) is working on$`, d.held)
	sc.Then(`^nothing is left on that disk$`, d.isEmpty)
}

type disks struct {
	*files
	root string
}

// mount puts a small disk below the scenario's scratch directory.
func (d *disks) mount(options string, readOnly bool) error {
	dir, err := d.w.Dir("disk")
	if err != nil {
		return err
	}
	unmount, err := mountDisk(dir, options, readOnly)
	if err != nil {
		return d.w.Unobservable("a disk of its own cannot be made here, which takes Linux and root: %v", err)
	}
	d.w.Cleanup(unmount)
	d.root = dir
	return nil
}

func (d *disks) on(name string) string { return filepath.Join(d.root, strings.ToLower(name)+".out") }

func (d *disks) send(ctx context.Context, name string) error {
	return d.sendToPath(ctx, "screenshot", name, strconv.Quote(d.on(name)))
}

func (d *disks) held(ctx context.Context, name string) error {
	return d.hold(ctx, d.to("screenshot", name, strconv.Quote(d.on(name)), behaviour{kind: worksOn}))
}

func (d *disks) isEmpty() error {
	entries, err := os.ReadDir(d.root)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		return d.w.Fail("left-on-full-disk", "the daemon left %q", entries[0].Name())
	}
	return nil
}
