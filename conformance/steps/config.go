package steps

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

// config is what a scenario about the daemon's config directory has seen.
type config struct {
	*auth
	dir string
	// first is the token of the daemon's first start, and kept the names of what
	// a stranger's daemon keeps in its directory then.
	first string
	kept  []string
	// damaged is what a scenario wrote into config.json.
	damaged []byte
	// whole is what stood there before.
	whole []byte
	// opened is config.json as somebody has opened it.
	opened *os.File
	watch  *watch
	kills  []kill
}

const configName = "config.json"

func registerConfig(sc sentences, a *auth) {
	c := &config{auth: a}
	sc.When(`^a daemon starts without a config directory$`, c.start)
	sc.When(`^a daemon starts without a config directory and the two above it$`, c.startDeep)
	sc.When(`^a daemon starts without a config directory, under the umask ([0-7]{3})$`, c.startUnder)
	sc.When(`^a daemon starts on an empty directory of the mode ([0-7]{4})$`, c.startOnMode)
	sc.When(`^a daemon is told to take a directory of the mode ([0-7]{4}) that holds other things$`, c.startOnForeign)
	sc.Given(`^a daemon has run on its config directory$`, c.hasRun)
	sc.When(`^the directory has the mode ([0-7]{4}) and the daemon starts again$`, c.restartWithDirMode)
	sc.When(`^config\.json has the mode ([0-7]{4}) and the daemon starts again$`, c.restartWithFileMode)
	sc.Then(`^its config directory has the mode ([0-7]{4})$`, c.dirHasMode)
	sc.Then(`^config\.json has the mode ([0-7]{4})$`, c.fileHasMode)
	sc.Then(`^config\.json holds the token$`, c.holdsToken)
	sc.Then(`^config\.json holds the token of before$`, c.holdsFirstToken)
	sc.Then(`^nothing was left beside it$`, c.isAlone)
	sc.Then(`^the directory is as it was$`, c.isForeignUntouched)
	registerDamage(sc, c)
	registerWatch(sc, c)
	registerKill(sc, c)
}

// start starts the scenario's daemon as it was set up.
func (c *config) start(ctx context.Context) error {
	d, err := c.w.Daemon(ctx)
	if err != nil {
		return err
	}
	if c.dir, err = d.ConfigDir(); err != nil {
		return err
	}
	if !c.w.Target().Strict {
		entries, err := os.ReadDir(c.dir)
		if err != nil {
			return fmt.Errorf("list the config directory: %w", err)
		}
		for _, e := range entries {
			c.kept = append(c.kept, e.Name())
		}
	}
	c.first, err = d.Token(ctx)
	return err
}

func (c *config) startOn(ctx context.Context, dir string) error {
	if err := c.w.Setup(func(s *target.Setup) { s.ConfigDir = dir }); err != nil {
		return err
	}
	return c.start(ctx)
}

func (c *config) startDeep(ctx context.Context) error {
	dir, err := c.w.Dir("home")
	if err != nil {
		return err
	}
	return c.startOn(ctx, filepath.Join(dir, "a", "b", "config"))
}

func (c *config) startUnder(ctx context.Context, umask string) error {
	mask, err := strconv.ParseInt(umask, 8, 32)
	if err != nil {
		return err
	}
	dir, err := c.w.Dir("home")
	if err != nil {
		return err
	}
	own := int(mask)
	if err := c.w.Setup(func(s *target.Setup) { s.Umask = &own }); err != nil {
		return err
	}
	c.dir = filepath.Join(dir, "config")
	c.beginWatch(c.dir)
	return c.startOn(ctx, c.dir)
}

// withMode makes a directory with that mode, whatever the suite's umask.
func (c *config) withMode(mode string) (string, error) {
	m, err := parseMode(mode)
	if err != nil {
		return "", err
	}
	dir, err := c.w.Dir("config")
	if err != nil {
		return "", err
	}
	return dir, os.Chmod(dir, m)
}

func parseMode(text string) (fs.FileMode, error) {
	m, err := strconv.ParseUint(text, 8, 9)
	return fs.FileMode(m), err
}

func (c *config) startOnMode(ctx context.Context, mode string) error {
	dir, err := c.withMode(mode)
	if err != nil {
		return err
	}
	return c.startOn(ctx, dir)
}

const foreignName, foreignText = "notes.txt", "buy milk\n"

// startOnForeign starts a daemon that may refuse.
func (c *config) startOnForeign(ctx context.Context, mode string) error {
	dir, err := c.withMode(mode)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, foreignName), []byte(foreignText), 0o644); err != nil {
		return fmt.Errorf("write somebody's notes: %w", err)
	}
	c.dir = dir
	_, c.starting = c.w.Start(ctx, target.Setup{ConfigDir: dir})
	if _, hidden := target.IsUnobservable(c.starting); hidden {
		return c.starting
	}
	return nil
}

// hasRun starts the scenario's daemon once.
func (c *config) hasRun(ctx context.Context) error { return c.start(ctx) }

// restart stops the daemon, changes something and starts it again.
func (c *config) restart(ctx context.Context, change func() error) error {
	d, err := c.w.Daemon(ctx)
	if err != nil {
		return err
	}
	if err := d.Stop(ctx); err != nil {
		return err
	}
	if err := change(); err != nil {
		return fmt.Errorf("change the config directory: %w", err)
	}
	c.starting = d.Start(ctx)
	if _, hidden := target.IsUnobservable(c.starting); hidden {
		return c.starting
	}
	return nil
}

func (c *config) restartWithDirMode(ctx context.Context, mode string) error {
	return c.restartWithMode(ctx, c.dir, mode)
}

func (c *config) restartWithFileMode(ctx context.Context, mode string) error {
	return c.restartWithMode(ctx, c.file(), mode)
}

func (c *config) restartWithMode(ctx context.Context, path, mode string) error {
	m, err := parseMode(mode)
	if err != nil {
		return err
	}
	if err := c.restart(ctx, func() error { return os.Chmod(path, m) }); err != nil {
		return err
	}
	if c.starting != nil {
		return c.w.Fail("no-start", "the daemon does not start when others may use %s: %v", filepath.Base(path), c.starting)
	}
	return nil
}

func (c *config) file() string { return filepath.Join(c.dir, configName) }

func (c *config) dirHasMode(want string) error { return c.hasMode("dir-mode", c.dir, want) }

func (c *config) fileHasMode(want string) error { return c.hasMode("file-mode", c.file(), want) }

func (c *config) hasMode(check, path, want string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return c.w.Fail("missing", "%s is not there", filepath.Base(path))
	}
	m, err := parseMode(want)
	if err != nil {
		return err
	}
	if got := info.Mode().Perm(); got != m {
		return c.w.Fail(check, "%s has the mode %04o, not %s", filepath.Base(path), got, want)
	}
	return nil
}

// readToken reads the token of a config.json; the error says what is wrong with
// it and not what stands there.
func readToken(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	return tokenIn(text)
}

func tokenIn(text []byte) (string, error) {
	var file struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return "", fmt.Errorf("its %d bytes are not whole JSON", len(text))
	}
	if file.Token == "" {
		return "", errors.New("it holds no token")
	}
	return file.Token, nil
}

// holdsToken compares what config.json holds with what the daemon takes.
func (c *config) holdsToken(ctx context.Context) error {
	token, err := readToken(c.file())
	if err != nil {
		return c.w.Fail("not-whole", "config.json is not whole: %v", err)
	}
	c.w.Transcript.Secret(token)
	r, err := c.letter(ctx, "POST /command")
	if err != nil {
		return err
	}
	e, err := c.send(ctx, withToken(r, token))
	if err != nil {
		return err
	}
	if !in(e.answer.Status) {
		return c.w.Fail("other-token", "the token in config.json is answered with %d", e.answer.Status)
	}
	return nil
}

func (c *config) holdsFirstToken() error {
	token, err := readToken(c.file())
	if err != nil {
		return c.w.Fail("not-whole", "config.json is not whole: %v", err)
	}
	if token != c.first {
		return c.w.Fail("other-token", "config.json holds another token than before")
	}
	return nil
}

// names are the files that a daemon keeps in its config directory.
var names = []string{configName, "bindings.json"}

// isAlone wants that the directory holds nothing that a write has left behind.
// A stranger may keep other files there, but none that came with a rotation.
func (c *config) isAlone() error {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return fmt.Errorf("list the config directory: %w", err)
	}
	for _, e := range entries {
		if !slices.Contains(names, e.Name()) && !slices.Contains(c.kept, e.Name()) {
			return c.w.Fail("left-over", "%s stands beside config.json", e.Name())
		}
	}
	return nil
}

func (c *config) isForeignUntouched() error {
	info, err := os.Stat(c.dir)
	if err != nil {
		return c.w.Fail("missing", "the directory is gone")
	}
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return err
	}
	text, _ := os.ReadFile(filepath.Join(c.dir, foreignName))
	if info.Mode().Perm() != 0o755 || len(entries) != 1 || string(text) != foreignText {
		return c.w.Fail("touched", "the directory has the mode %04o and %d entries afterwards", info.Mode().Perm(), len(entries))
	}
	return nil
}
