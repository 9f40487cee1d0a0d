package target

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ExtensionFile is the target file of an extension: how a browser with it is
// started and told where its daemon is. TARGETS.md explains each field,
// extension.schema.json is its schema.
type ExtensionFile struct {
	Schema string `json:"$schema,omitempty"`
	// Name is what reports call the target.
	Name string `json:"name"`
	// Browser is chrome or firefox.
	Browser protocol.Browser `json:"browser"`
	// Strict is true for an extension of this project.
	Strict bool           `json:"strict,omitempty"`
	Start  ExtensionStart `json:"start"`
	// Suspend is how its background is stopped; nil if it cannot be.
	Suspend *Suspend `json:"suspend,omitempty"`
	// PictureMS is how many milliseconds a screenshot or a PDF takes; 0 if nobody
	// knows.
	PictureMS int  `json:"picture_ms,omitempty"`
	Stop      Stop `json:"stop,omitzero"`

	here, bin string
}

// ExtensionStart is how the browser is executed.
type ExtensionStart struct {
	Command []string `json:"command"`
	// Env are variables of its environment beside PATH, HOME and TMPDIR. A secret
	// belongs here: a command line is shown to everybody on the machine.
	Env map[string]string `json:"env,omitempty"`
	// Dir is its working directory, by default a scratch directory.
	Dir string `json:"dir,omitempty"`
}

// Suspend is how the background is stopped, as the browser does with an idle
// one: by a signal to the process that was started. It must come back by its
// own alarm.
type Suspend struct {
	// Signal is USR1 or USR2.
	Signal string `json:"signal"`
}

// ReadExtensionFile reads a target file of an extension. bin is what {bin}
// stands for in it.
func ReadExtensionFile(path, bin string) (*ExtensionFile, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read target file: %w", err)
	}
	f := &ExtensionFile{bin: bin}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("read target file %s: %w", path, err)
	}
	if d.More() {
		return nil, fmt.Errorf("read target file %s: something stands behind its object", path)
	}
	if f.here, err = filepath.Abs(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("read target file: %w", err)
	}
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("read target file %s: %w", path, err)
	}
	return f, nil
}

func (f *ExtensionFile) check() error {
	var wrong []error
	if f.Name == "" {
		wrong = append(wrong, errors.New("name must not be empty"))
	}
	if f.Browser != protocol.Chrome && f.Browser != protocol.Firefox {
		wrong = append(wrong, fmt.Errorf("browser is %q, and must be chrome or firefox", f.Browser))
	}
	if len(f.Start.Command) == 0 {
		wrong = append(wrong, errors.New("start: command must not be empty"))
	}
	if f.Suspend != nil && signals[f.Suspend.Signal] == nil {
		wrong = append(wrong, fmt.Errorf("suspend: the signal %q is neither USR1 nor USR2", f.Suspend.Signal))
	}
	if !slices.Contains([]string{"", "TERM", "INT"}, f.Stop.Signal) {
		wrong = append(wrong, fmt.Errorf("stop: the signal %q is neither TERM nor INT", f.Stop.Signal))
	}
	if f.PictureMS < 0 {
		wrong = append(wrong, errors.New("picture_ms must not be negative"))
	}
	if !f.mentions("{token}") && !f.mentions("{code}") {
		wrong = append(wrong, errors.New("start: neither {token} nor {code} stands in it, so that the extension could not know the token"))
	}
	if !f.mentions("{addr}") && !f.mentions("{port}") {
		wrong = append(wrong, errors.New("start: neither {addr} nor {port} stands in it, so that the extension could not know where the daemon is"))
	}
	return errors.Join(wrong...)
}

// mentions reports whether a placeholder stands in what the browser is told.
func (f *ExtensionFile) mentions(placeholder string) bool {
	has := func(s string) bool { return strings.Contains(s, placeholder) }
	if slices.ContainsFunc(f.Start.Command, has) {
		return true
	}
	for _, value := range f.Start.Env {
		if has(value) {
			return true
		}
	}
	return false
}

func (f *ExtensionFile) picture() (time.Duration, error) {
	if f.PictureMS == 0 {
		return 0, Hidden("how long %s takes for a picture is not said by its target file", f.Name)
	}
	return time.Duration(f.PictureMS) * time.Millisecond, nil
}
