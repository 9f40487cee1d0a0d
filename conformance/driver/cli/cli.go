// Package cli lets the suite drive the command omw as a client under test: a
// process a command, as a shell user runs it.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/driver"
)

// Serve speaks the driver's contract on in and out, with the binary omw, until
// it is told to stop.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version, omw string) error {
	return driver.Serve(ctx, in, out, "omw command", version, func(url, token string) (driver.Client, error) {
		dir, err := configDir(token)
		if err != nil {
			return nil, err
		}
		return &cli{omw: omw, addr: strings.TrimPrefix(url, "http://"), dir: dir}, nil
	})
}

// configDir makes a config directory that holds the token, as a daemon's does:
// the command takes the token from nowhere else.
func configDir(token string) (string, error) {
	dir, err := os.MkdirTemp("", "omw-cli-")
	if err != nil {
		return "", err
	}
	config, err := json.Marshal(map[string]any{"version": 1, "token": token})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(dir))
	}
	return dir, nil
}

type cli struct{ omw, addr, dir string }

func (c *cli) Close() { _ = os.RemoveAll(c.dir) }

// The exit codes of omw that tell outcomes apart.
const (
	exitUsage   = 2
	exitUnknown = 4
)

func (c *cli) Do(ctx context.Context, do driver.Do) (driver.Outcome, string) {
	args, err := c.args(do)
	if err != nil {
		return driver.Error, "bad_request"
	}
	out, err := exec.CommandContext(ctx, c.omw, args...).Output()
	if err == nil {
		return driver.OK, ""
	}
	exit, ran := errors.AsType[*exec.ExitError](err)
	if !ran {
		return driver.Error, ""
	}
	var answer struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(out, &answer)
	switch exit.ExitCode() {
	case exitUnknown:
		return driver.Unknown, answer.Error.Code
	case exitUsage:
		return driver.Error, "bad_request"
	}
	return driver.Error, answer.Error.Code
}

// args is the command line of a command.
func (c *cli) args(do driver.Do) ([]string, error) {
	args := []string{"do", do.Action, "--json", "--addr", c.addr, "--config-dir", c.dir}
	if do.Session != "" {
		args = append(args, "--session", do.Session)
	}
	if do.TimeoutMS != 0 {
		args = append(args, "--timeout", fmt.Sprintf("%dms", do.TimeoutMS))
	}
	values := map[string]json.RawMessage{}
	if len(do.Args) > 0 {
		if err := json.Unmarshal(do.Args, &values); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		args = append(args, name+":="+string(values[name]))
	}
	return args, nil
}
