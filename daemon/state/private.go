package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// makeDir creates the directory and what is missing above it, each with mode
// 0700 whatever the umask.
func makeDir(path string) error {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is no directory", path)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if parent := filepath.Dir(path); parent != path {
		if err := makeDir(parent); err != nil {
			return err
		}
	}
	switch err := os.Mkdir(path, 0o700); {
	case errors.Is(err, fs.ErrExist):
		// Another daemon that starts now was faster, or a dangling link is in
		// the way, which opening it will say.
		return nil
	case err != nil:
		return err
	}
	return os.Chmod(path, 0o700)
}

// keepPrivate sees to it that nobody else can use the directory or the files in
// it. Only one that is surely ours is changed: a wide mode of a foreign one, or
// of a directory of other things, was meant so.
func (d *Dir) keepPrivate(holdsConfig bool) error {
	dir, err := d.root.Open(".")
	if err != nil {
		return fmt.Errorf("open config directory: %w", err)
	}
	defer dir.Close()
	info, err := dir.Stat()
	if err != nil {
		return fmt.Errorf("examine config directory: %w", err)
	}
	if !ours(info) {
		return fmt.Errorf("config directory %s belongs to another user; choose one of your own by OMW_CONFIG_DIR", d.path)
	}
	if wide(info) {
		if !holdsConfig {
			if _, err := dir.Readdirnames(1); !errors.Is(err, io.EOF) {
				return fmt.Errorf("config directory %s has mode %#o and holds other things; choose an empty one, or make it private by chmod 700", d.path, info.Mode().Perm())
			}
		}
		if err := dir.Chmod(0o700); err != nil {
			return fmt.Errorf("make config directory private: %w", err)
		}
		d.log.Warn("the config directory was open to other users and has been made private", "dir", d.path, "mode", fmt.Sprintf("%#o", info.Mode().Perm()))
	}
	return d.tighten(configName, "; if they may have read the token, make a new one by: omw token rotate")
}

// tighten takes the rights of others from a file of ours, if it is there.
func (d *Dir) tighten(name, advice string) error {
	f, err := openPlain(d.root, name)
	if err != nil {
		// What is no plain file is refused by whoever wants to read it.
		return nil
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !wide(info) {
		return err
	}
	if err := f.Chmod(0o600); err != nil {
		return fmt.Errorf("make %s private: %w", filepath.Join(d.path, name), err)
	}
	d.log.Warn("a file was open to other users and has been made private"+advice, "file", filepath.Join(d.path, name), "mode", fmt.Sprintf("%#o", info.Mode().Perm()))
	return nil
}
