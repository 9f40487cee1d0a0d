package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/target"
)

func registerDamage(sc sentences, c *config) {
	sc.When(`^config\.json holds (.+) and the daemon starts again$`, c.restartDamaged)
	sc.When(`^config\.json is mended and the daemon starts again$`, c.restartMended)
	sc.Then(`^it refuses to start and names config\.json$`, c.namesConfig)
	sc.Then(`^what it says repeats none of them$`, c.saysNoSecret)
	sc.Then(`^config\.json is as it was$`, c.isAsDamaged)
}

// damages are what a config.json may hold instead, by its name in a feature:
// functions of the whole one.
var damages = map[string]func(whole []byte) []byte{
	"nothing":                      fixed(""),
	"blanks":                       fixed("  \n"),
	"an opening brace":             fixed("{"),
	"its own first half":           func(w []byte) []byte { return w[:len(w)/2] },
	"its token and more behind it": func(w []byte) []byte { return append(bytes.Clone(w), "it broke"...) },
	"null":                         fixed("null\n"),
	"a list":                       fixed("[]\n"),
	"a text":                       fixed(`"token"` + "\n"),
	"no token":                     fixed(`{"version":1}`),
	"an empty token":               fixed(`{"version":1,"token":""}`),
	"a number for a token":         fixed(`{"version":1,"token":123}`),
	"null for a token":             fixed(`{"version":1,"token":null}`),
	"a list for a token":           fixed(`{"version":1,"token":["x"]}`),
	"bytes that are no text":       fixed("\x00\xff\xfe\x00"),
}

func fixed(text string) func([]byte) []byte { return func([]byte) []byte { return []byte(text) } }

func (c *config) restartDamaged(ctx context.Context, what string) error {
	damage, ok := damages[what]
	if !ok {
		return fmt.Errorf("no config.json holds %q", what)
	}
	return c.restart(ctx, func() error {
		whole, err := os.ReadFile(c.file())
		if err != nil {
			return err
		}
		c.whole, c.damaged = whole, damage(whole)
		return os.WriteFile(c.file(), c.damaged, 0o600)
	})
}

func (c *config) restartMended(ctx context.Context) error {
	d, err := c.w.Daemon(ctx)
	if err != nil {
		return err
	}
	if err := os.WriteFile(c.file(), c.whole, 0o600); err != nil {
		return fmt.Errorf("mend config.json: %w", err)
	}
	if err := d.Start(ctx); err != nil {
		return c.w.Fail("no-start", "the daemon does not start with its file mended: %v", err)
	}
	return nil
}

// said is all that the daemon said when it did not start.
func (c *config) said() string {
	e, ok := errors.AsType[*target.StartError](c.starting)
	if !ok {
		return ""
	}
	return e.Reason + "\n" + e.Output
}

func (c *config) namesConfig() error {
	if err := c.refusesToStart(); err != nil {
		return err
	}
	if !strings.Contains(c.said(), configName) {
		return c.w.Fail("unnamed", "the daemon does not say that config.json keeps it from starting")
	}
	return nil
}

func (c *config) saysNoSecret() error {
	if strings.Contains(c.said(), c.first) {
		return c.w.Fail("said", "what the daemon says when it does not start holds the token")
	}
	return nil
}

func (c *config) isAsDamaged() error {
	got, err := os.ReadFile(c.file())
	if err != nil {
		return c.w.Fail("lost", "config.json is gone")
	}
	if !bytes.Equal(got, c.damaged) {
		return c.w.Fail("overwritten", "config.json has %d bytes afterwards, other than the %d that stood there", len(got), len(c.damaged))
	}
	return nil
}
