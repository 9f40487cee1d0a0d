package target

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// File is a target file: how somebody's daemon is started and asked, or where
// one runs. TARGETS.md explains each field, target.schema.json is its schema.
type File struct {
	Schema string `json:"$schema,omitempty"`
	// Name is what reports call the target.
	Name string `json:"name"`
	// Strict is true for a daemon of this project.
	Strict bool `json:"strict,omitempty"`
	// Start is set for exec, URL for url.
	Start *Start `json:"start,omitempty"`
	URL   string `json:"url,omitempty"`
	Stop  Stop   `json:"stop,omitzero"`
	// ConfigDir is the daemon's configuration directory, "" if it has none that
	// can be looked at.
	ConfigDir string  `json:"config_dir,omitempty"`
	Token     Source  `json:"token"`
	Code      *Source `json:"code,omitempty"`
	// Source is the directory of the daemon's source.
	Source string `json:"source,omitempty"`

	here, bin string
}

// Start is how a daemon is executed.
type Start struct {
	// Command and AddrArgs make the command line; AddrArgs are left out where a
	// scenario is about the default address.
	Command  []string `json:"command"`
	AddrArgs []string `json:"addr_args,omitempty"`
	// Env are variables of its environment beside PATH, HOME and TMPDIR.
	Env map[string]string `json:"env,omitempty"`
	// Dir is its working directory, by default a scratch directory.
	Dir   string `json:"dir,omitempty"`
	Ready Ready  `json:"ready,omitzero"`
}

// Ready is how a daemon is known to be up.
type Ready struct {
	// Line is a regular expression for a line that it prints; its first group, if
	// it has one, is the address that it listens at. Without it the address is
	// dialled until it answers.
	Line string `json:"line,omitempty"`
	// TimeoutMS is how long it may take, by default 10000.
	TimeoutMS int `json:"timeout_ms,omitempty"`
}

// Stop is how a daemon is asked to end.
type Stop struct {
	// Signal is TERM or INT, by default TERM.
	Signal string `json:"signal,omitempty"`
	// TimeoutMS is how long it may take, by default 7000.
	TimeoutMS int `json:"timeout_ms,omitempty"`
}

// ReadFile reads a target file. bin is what {bin} stands for in it.
func ReadFile(path, bin string) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read target file: %w", err)
	}
	f := &File{bin: bin}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("read target file %s: %w", path, err)
	}
	if d.More() {
		return nil, fmt.Errorf("read target file %s: something stands behind its object", path)
	}
	here, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("read target file: %w", err)
	}
	f.here = here
	if err := f.check(); err != nil {
		return nil, fmt.Errorf("read target file %s: %w", path, err)
	}
	return f, nil
}

func (f *File) check() error {
	wrong := []error{f.Token.check("token")}
	if f.Code != nil {
		wrong = append(wrong, f.Code.check("code"))
	}
	if f.Name == "" {
		wrong = append(wrong, errors.New("name must not be empty"))
	}
	if !slices.Contains([]string{"", "TERM", "INT"}, f.Stop.Signal) {
		wrong = append(wrong, fmt.Errorf("stop: the signal %q is neither TERM nor INT", f.Stop.Signal))
	}
	switch {
	case (f.Start == nil) == (f.URL == ""):
		wrong = append(wrong, errors.New("exactly one of start and url must be set"))
	case f.Start != nil && len(f.Start.Command) == 0:
		wrong = append(wrong, errors.New("start: command must not be empty"))
	case f.Start != nil:
		_, err := regexp.Compile(f.Start.Ready.Line)
		wrong = append(wrong, err)
	default:
		wrong = append(wrong, checkURL(f.URL))
	}
	return errors.Join(wrong...)
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return fmt.Errorf("url: %w", err)
	}
	if u.Scheme != "http" || u.Port() == "" || u.Hostname() != "127.0.0.1" || strings.Trim(u.Path, "/") != "" {
		return fmt.Errorf("url: %q is not http://127.0.0.1:PORT", text)
	}
	return nil
}

func (f *File) source() string {
	if f.Source == "" {
		return ""
	}
	return filepath.Clean(f.expand(f.Source, nil))
}

// expand replaces the placeholders of a target file.
func (f *File) expand(s string, more map[string]string) string {
	pairs := []string{"{here}", f.here, "{bin}", f.bin}
	for name, value := range more {
		pairs = append(pairs, "{"+name+"}", value)
	}
	return strings.NewReplacer(pairs...).Replace(s)
}
