package state

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const bindingsName = "bindings.json"

// bindingsFile is bindings.json.
type bindingsFile struct {
	Version  int                         `json:"version"`
	Sessions map[string]protocol.Browser `json:"sessions"`
}

// SaveBindings publishes bindings.json with these bindings and nothing else
// (ROUTE-06). After an error the file is as it was. Callers take turns.
func (d *Dir) SaveBindings(bindings map[string]protocol.Browser) error {
	if err := checkBindings(bindings); err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(d.path, bindingsName), err)
	}
	data, err := json.Marshal(bindingsFile{1, bindings}, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("write %s: %w", filepath.Join(d.path, bindingsName), err)
	}
	return d.publish(bindingsName, append(data, '\n'))
}

// loadBindings returns what bindings.json holds. What cannot be used is set
// aside for somebody to look at: bindings are worth less than a running daemon.
func (d *Dir) loadBindings() (map[string]protocol.Browser, error) {
	bindings, err := d.readBindings()
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return bindings, d.tighten(bindingsName, "")
	}
	aside, moveErr := d.setAside(bindingsName)
	if moveErr != nil {
		return nil, fmt.Errorf("set %s aside: %w", filepath.Join(d.path, bindingsName), moveErr)
	}
	d.log.Warn("the bindings could not be read and have been set aside; sessions start unbound",
		"file", filepath.Join(d.path, bindingsName), "kept", filepath.Join(d.path, aside), "err", err)
	return nil, nil
}

func (d *Dir) readBindings() (map[string]protocol.Browser, error) {
	data, err := readPlain(d.root, bindingsName)
	if err != nil {
		return nil, err
	}
	all, err := members(data, "sessions")
	if err != nil {
		return nil, err
	}
	var bindings map[string]protocol.Browser
	if err := json.Unmarshal(all["sessions"], &bindings); err != nil || bindings == nil {
		return nil, errors.New(`"sessions" must be an object of session names and browsers`)
	}
	return bindings, checkBindings(bindings)
}

func checkBindings(bindings map[string]protocol.Browser) error {
	limits := protocol.DefaultLimits()
	for session, browser := range bindings {
		if err := protocol.CheckSession(session, limits); err != nil {
			return fmt.Errorf("a session name %w", err)
		}
		if !slices.Contains(protocol.Browsers[:], browser) {
			return errors.New("a session is bound to a browser that this omw does not know")
		}
	}
	return nil
}

// setAside renames a file of the directory to the first free name.broken-N and
// returns that name.
func (d *Dir) setAside(name string) (string, error) {
	for n := 1; ; n++ {
		aside := name + ".broken-" + strconv.Itoa(n)
		switch _, err := d.root.Lstat(aside); {
		case errors.Is(err, fs.ErrNotExist):
			return aside, d.root.Rename(name, aside)
		case err != nil:
			return "", err
		}
	}
}
