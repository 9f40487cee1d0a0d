package target

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// Source says where a secret of the daemon is found: in a file, in a fixed
// value, in what a command prints, in what the daemon itself printed, or in
// the answer of a request that carries the token. Exactly one of File, Value,
// Command, Line and Request is set.
type Source struct {
	// File is the path of a file; JSON, or Match, says where in it.
	File string `json:"file,omitempty"`
	// Value is the secret itself.
	Value string `json:"value,omitempty"`
	// Command is executed, and its output read until Match, or JSON of a line, is
	// found. It goes on running until the daemon is stopped.
	Command []string `json:"command,omitempty"`
	// Line is a regular expression for a line that the daemon printed; its first
	// group is the secret. The last such line counts.
	Line string `json:"line,omitempty"`
	// Request is sent to the daemon with the token.
	Request *Request `json:"request,omitempty"`
	// JSON is the name of a member of the JSON object that was read.
	JSON string `json:"json,omitempty"`
	// Match is a regular expression whose first group is the secret.
	Match string `json:"match,omitempty"`
}

// Request is an HTTP request to the daemon, with Authorization: Bearer TOKEN.
type Request struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   string `json:"body,omitempty"`
}

// place is one running daemon as a Source sees it.
type place struct {
	config string
	expand func(string) string
	dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	token  func(context.Context) (string, error)
	output func() string
	env    []string
	// keep is given the command that goes on running.
	keep func(*exec.Cmd)
}

func (p *place) path(s string) string {
	if p.expand != nil {
		return p.expand(s)
	}
	return strings.ReplaceAll(s, "{config}", p.config)
}

func (s *Source) check(what string) error {
	n := 0
	for _, set := range []bool{s.File != "", s.Value != "", len(s.Command) > 0, s.Line != "", s.Request != nil} {
		if set {
			n++
		}
	}
	if n != 1 {
		return fmt.Errorf("%s: exactly one of file, value, command, line and request must be set", what)
	}
	for _, expr := range []string{s.Line, s.Match} {
		re, err := regexp.Compile(expr)
		if err != nil {
			return fmt.Errorf("%s: %w", what, err)
		}
		if expr != "" && re.NumSubexp() == 0 {
			return fmt.Errorf("%s: %q has no group that is the secret", what, expr)
		}
	}
	return nil
}

func (s *Source) read(ctx context.Context, p *place) (string, error) {
	switch {
	case s.Value != "":
		return p.path(s.Value), nil
	case s.File != "":
		text, err := os.ReadFile(p.path(s.File))
		if err != nil {
			return "", fmt.Errorf("read a secret of the daemon: %w", err)
		}
		return s.pick(string(text))
	case s.Line != "":
		all := regexp.MustCompile("(?m)"+s.Line).FindAllStringSubmatch(p.output(), -1)
		if len(all) == 0 {
			return "", fmt.Errorf("the daemon has printed no line that matches %q", s.Line)
		}
		return all[len(all)-1][1], nil
	case s.Request != nil:
		return s.request(ctx, p)
	default:
		return s.run(ctx, p)
	}
}

// pick finds the secret in a text. Errors never repeat the text.
func (s *Source) pick(text string) (string, error) {
	switch {
	case s.JSON != "":
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text), &object); err != nil {
			return "", errors.New("it is no JSON object")
		}
		var secret string
		if err := json.Unmarshal(object[s.JSON], &secret); err != nil || secret == "" {
			return "", fmt.Errorf("it has no text %q", s.JSON)
		}
		return secret, nil
	case s.Match != "":
		m := regexp.MustCompile(s.Match).FindStringSubmatch(text)
		if m == nil {
			return "", fmt.Errorf("nothing in it matches %q", s.Match)
		}
		return m[1], nil
	}
	return strings.TrimSpace(text), nil
}

func (s *Source) request(ctx context.Context, p *place) (string, error) {
	token, err := p.token(ctx)
	if err != nil {
		return "", err
	}
	req, err := http.NewRequestWithContext(ctx, s.Request.Method, "http://127.0.0.1"+s.Request.Path, strings.NewReader(s.Request.Body))
	if err != nil {
		return "", err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	transport := &http.Transport{DialContext: p.dial, DisableKeepAlives: true}
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", s.Request.Method, s.Request.Path, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", s.Request.Method, s.Request.Path, err)
	}
	if resp.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s %s: answered %s", s.Request.Method, s.Request.Path, resp.Status)
	}
	secret, err := s.pick(string(body))
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", s.Request.Method, s.Request.Path, err)
	}
	return secret, nil
}

// run executes the command until it has printed the secret.
func (s *Source) run(ctx context.Context, p *place) (string, error) {
	args := make([]string, len(s.Command))
	for n, a := range s.Command {
		args[n] = p.path(a)
	}
	found := make(chan string, 1)
	out := newTail(logSize, func(line string) {
		if secret, err := s.pick(line); err == nil {
			select {
			case found <- secret:
			default:
			}
		}
	})
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Stdout = p.env, out
	if err := cmd.Start(); err != nil {
		return "", fmt.Errorf("run %s: %w", args[0], err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case secret := <-found:
		p.keep(cmd)
		return secret, nil
	case err := <-ended:
		// Its output may have come with its end.
		select {
		case secret := <-found:
			return secret, nil
		default:
		}
		return "", fmt.Errorf("run %s: it ended without having printed the secret: %w", args[0], errors.Join(err))
	case <-ctx.Done():
		_ = cmd.Process.Kill()
		<-ended
		return "", fmt.Errorf("run %s: %w", args[0], context.Cause(ctx))
	}
}
