package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim"
)

func registerSecrets(sc sentences, a *auth) {
	sc.Given(`^a daemon that logs whatever it can$`, a.startLogging)
	sc.When(`^the token and the code are sent in every place that a request has$`, a.sendEverywhere)
	sc.When(`^the token is sent in every place that a frame has$`, a.sendInFrames)
	sc.When(`^the daemon is asked for all that it tells$`, a.askForAll)
	sc.When(`^a command of session "shop" is answered$`, a.answerCommand)
	sc.Then(`^no answer repeats one of them$`, a.answersTellNone)
	sc.Then(`^no answer leads elsewhere$`, a.answersLeadNowhere)
	sc.Then(`^the log repeats none of them$`, a.logTellsNone)
	sc.Then(`^no file but config\.json holds one of them$`, a.filesHoldNone)
	sc.Then(`^neither its command line nor its environment holds one of them$`, a.processShowsNone)
	sc.Then(`^the transcript repeats none of them$`, a.transcriptTellsNone)
}

// startLogging starts the daemon so that it logs all that it can: ours is told
// to, a stranger's logs what it logs.
func (a *auth) startLogging(ctx context.Context) error {
	if info := a.w.Target(); info.Kind == "exec" && info.Strict {
		if err := a.w.Setup(func(s *target.Setup) { s.Args = append(s.Args, "--log-level", "debug") }); err != nil {
			return err
		}
	}
	_, err := a.w.Daemon(ctx)
	return err
}

// secrets are what must not be told: each of the daemon's tokens and codes, and
// what was presented in the place of one.
func (a *auth) secrets(ctx context.Context) (map[string]*regexp.Regexp, error) {
	all := make(map[string]*regexp.Regexp)
	add := func(what string, texts ...string) {
		for _, text := range texts {
			if text != "" {
				all[what+" "+text] = regexp.MustCompile(regexp.QuoteMeta(text))
			}
		}
	}
	token, err := a.token(ctx)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	add("a token", token, a.before)
	add("a token", a.tokens...)
	add("what was presented as a token", a.presented...)
	for _, code := range a.codes {
		// Six digits of a longer number are no code.
		all["a code "+code] = regexp.MustCompile(`(^|[^0-9])` + code + `([^0-9]|$)`)
	}
	return all, nil
}

// tells returns what kind of secret the text holds, "" if none. The secret
// itself is not part of it.
func (a *auth) tells(ctx context.Context, text []byte) (string, error) {
	all, err := a.secrets(ctx)
	if err != nil {
		return "", err
	}
	for what, shape := range all {
		if shape.Match(text) {
			return what[:strings.LastIndexByte(what, ' ')], nil
		}
	}
	return "", nil
}

// sendEverywhere sends each secret in each place.
func (a *auth) sendEverywhere(ctx context.Context) error {
	token, err := a.token(ctx)
	if err != nil {
		return err
	}
	code, err := a.code()
	if err != nil {
		return err
	}
	a.heard = nil
	for _, h := range hidingPlaces {
		for _, secret := range []string{token, code} {
			if secret == code && h.tokenOnly {
				continue
			}
			base, err := a.letter(ctx, h.door)
			if err != nil {
				return err
			}
			if err := a.askAnyhow(ctx, h.put(base, secret)); err != nil {
				return err
			}
		}
	}
	return nil
}

// askAnyhow is ask for a request that may be no HTTP, and may have no answer.
func (a *auth) askAnyhow(ctx context.Context, r sim.Request) error {
	call, err := a.begin(ctx, r)
	if err != nil {
		return err
	}
	defer func() { _ = call.Close() }()
	// A daemon that refuses it early may close its side before all is sent.
	_ = call.SendAll()
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errNoAnswer)
	defer cancel()
	resp, _ := call.Read(ctx)
	a.w.Transcript.Received("caller", resp.Raw)
	a.heard = append(a.heard, exchange{request: r, answer: resp})
	return nil
}

// askForAll asks for everything that the daemon tells of itself.
func (a *auth) askForAll(ctx context.Context) error {
	for _, door := range []string{"GET /ping", "GET /json/version", "GET /json", "GET /json/list", "GET /admin/status", "POST /command"} {
		r, err := a.letter(ctx, door)
		if err != nil {
			return err
		}
		if err := a.ask(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

func (a *auth) answerCommand(ctx context.Context) error {
	r, err := a.letter(ctx, "POST /command")
	if err != nil {
		return err
	}
	r.Body = []byte(`{"action":"snapshot","session":"shop"}`)
	return a.ask(ctx, r)
}

// answersTellNone passes over the answers whose work it is to give a secret.
func (a *auth) answersTellNone(ctx context.Context) error {
	return a.judge(func(e *exchange) error {
		if e.gives() {
			return nil
		}
		what, err := a.tells(ctx, e.answer.Raw)
		if err != nil {
			return err
		}
		if what != "" {
			return a.w.Fail("answer", "%s %s is answered with %d, and the answer holds %s", e.request.Method, redacted(e.request.Target), e.answer.Status, what)
		}
		return nil
	})
}

// gives reports whether the answer is one that gives a token or a code.
func (e *exchange) gives() bool {
	path, _, _ := strings.Cut(e.request.Target, "?")
	return e.answer.Status == 200 && (path == "/pair" || path == "/admin/pair" || path == "/admin/token")
}

// redacted cuts a target after its first element.
func redacted(target string) string {
	if i := strings.IndexAny(target[1:], "/?"); i >= 0 {
		return target[:i+1] + "…"
	}
	return target
}

func (a *auth) answersLeadNowhere() error {
	return a.judge(func(e *exchange) error {
		if to := e.answer.Header["Location"]; len(to) > 0 {
			return a.w.Fail("redirect", "%s %s is led elsewhere with %d", e.request.Method, redacted(e.request.Target), e.answer.Status)
		}
		return nil
	})
}

func (a *auth) logTellsNone(ctx context.Context) error {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return err
	}
	a.w.Clock.Settle()
	log, err := d.Logs()
	if err != nil {
		return err
	}
	what, err := a.tells(ctx, []byte(log))
	if err != nil {
		return err
	}
	if what != "" {
		return a.w.Fail("log", "the log holds %s", what)
	}
	return nil
}

func (a *auth) filesHoldNone(ctx context.Context) error {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return err
	}
	dir, err := d.ConfigDir()
	if err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("read a file of the config directory: %w", err)
		}
		if entry.Name() == configName {
			// It holds the token; a code has no place there.
			token, _ := tokenIn(text)
			text = bytes.ReplaceAll(text, []byte(token), nil)
		}
		what, err := a.tells(ctx, text)
		if err != nil {
			return err
		}
		if what != "" {
			return a.w.Fail("file", "%s holds %s", entry.Name(), what)
		}
		return nil
	})
}

func (a *auth) processShowsNone(ctx context.Context) error {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return err
	}
	pid, err := d.Pid()
	if err != nil {
		return err
	}
	for _, name := range []string{"cmdline", "environ"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, name))
		if err != nil {
			return a.w.Unobservable("this system does not show the %s of a process", name)
		}
		what, err := a.tells(ctx, text)
		if err != nil {
			return err
		}
		if what != "" {
			return a.w.Fail("process", "the %s of the daemon's process holds %s", name, what)
		}
	}
	return nil
}

func (a *auth) transcriptTellsNone(ctx context.Context) error {
	for _, line := range a.w.Transcript.Lines() {
		what, err := a.tells(ctx, []byte(line.Text))
		if err != nil {
			return err
		}
		if what != "" {
			return a.w.Fail("transcript", "a line of the transcript holds %s", what)
		}
	}
	return nil
}
