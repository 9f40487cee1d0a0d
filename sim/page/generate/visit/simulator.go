package visit

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/sim/page"
	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// origin is where the simulator's pages are.
const origin = "http://fidelity.test"

// Simulator is a tab of the simulated browser, seen as an agent sees it.
type Simulator struct {
	tabs *page.Tabs
	// ids are the elements of the last snapshot's references, by both ways.
	refs map[string]string
	sent []Request
}

func (s *Simulator) Load(ctx context.Context, p *generate.Page) error {
	s.refs, s.sent = map[string]string{}, nil
	s.tabs = page.New(page.Config{Site: page.SiteFunc(func(_ context.Context, r page.Request) (page.Response, error) {
		u, err := url.Parse(r.URL)
		if err != nil {
			return page.Response{}, fmt.Errorf("parse URL: %w", err)
		}
		text := "<!doctype html><title>Received</title><p>Received.</p>"
		if r.Method == http.MethodGet && r.URL == origin+p.Path() {
			text = p.HTML
		} else {
			s.sent = append(s.sent, Understand(r.Method, u.RequestURI(), r.Header.Get("Content-Type"), r.Body))
		}
		return page.Response{Header: http.Header{"Content-Type": {"text/html; charset=utf-8"}}, Body: []byte(text)}, nil
	})})
	_, err := s.act(ctx, "navigate", map[string]any{"url": origin + p.Path()})
	return err
}

// act performs an action of the wire.
func (s *Simulator) act(ctx context.Context, action string, args map[string]any) (jsontext.Value, error) {
	text, err := json.Marshal(args)
	if err != nil {
		return nil, fmt.Errorf("write arguments: %w", err)
	}
	r := s.tabs.Do(ctx, "fidelity", action, text)
	if r.Err != nil {
		return nil, r.Err
	}
	return r.Data, nil
}

func (s *Simulator) Nodes(ctx context.Context) ([]Node, error) {
	data, err := s.act(ctx, "snapshot", map[string]any{})
	if err != nil {
		return nil, err
	}
	var shot struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &shot); err != nil {
		return nil, fmt.Errorf("read snapshot: %w", err)
	}
	lines, err := parse(shot.Text)
	if err != nil {
		return nil, err
	}
	return s.identify(ctx, lines)
}

// identify finds the elements of the references.
func (s *Simulator) identify(ctx context.Context, lines []line) ([]Node, error) {
	var refs []string
	for _, l := range lines {
		if l.ref != "" {
			refs = append(refs, l.ref)
		}
	}
	elements := map[string]element{}
	if len(refs) > 0 {
		data, err := s.act(ctx, "extract", map[string]any{"refs": refs, "format": "html"})
		if err != nil {
			return nil, fmt.Errorf("find the elements: %w", err)
		}
		var got struct {
			Items []struct {
				Ref     string `json:"ref"`
				Content string `json:"content"`
			} `json:"items"`
		}
		if err := json.Unmarshal(data, &got); err != nil {
			return nil, fmt.Errorf("find the elements: %w", err)
		}
		for i, item := range got.Items {
			elements[refs[i]] = outer(item.Content)
		}
	}
	s.refs = map[string]string{}
	var all []Node
	for _, l := range lines {
		n := l.Node
		if e, ok := elements[l.ref]; ok {
			n.ID, n.Tag = e.id, e.tag
			if e.id != "" && s.refs[e.id] == "" {
				s.refs[e.id] = l.ref
			}
		}
		all = append(all, n)
	}
	return all, nil
}

// Do takes a step by the reference that the last snapshot gave, else by CSS.
func (s *Simulator) Do(ctx context.Context, step generate.Step) (bool, error) {
	before := len(s.sent)
	err := s.step(ctx, step)
	return len(s.sent) > before, err
}

func (s *Simulator) step(ctx context.Context, step generate.Step) error {
	args := map[string]any{}
	if ref := s.refs[step.ID]; ref != "" {
		args["ref"] = ref
	} else {
		args["selector"] = "#" + step.ID
		if step.Frame != "" {
			// CSS finds what is in the frame that the session addresses.
			if _, err := s.act(ctx, "frame", map[string]any{"frame": s.refs[step.Frame]}); err != nil {
				return err
			}
			defer s.act(ctx, "frame", map[string]any{}) //nolint:errcheck // the frame may be gone with the page
		}
	}
	action := string(step.Verb)
	switch step.Verb {
	case generate.Type, generate.Append:
		action, args["text"] = "type", step.Text
		if step.Verb == generate.Append {
			args["mode"] = "append"
		}
	case generate.Check:
		args["checked"] = step.Checked
	case generate.Select:
		args["values"] = append([]string{}, step.Values...)
	case generate.Enter:
		action, args["key"] = "press", "Enter"
	}
	_, err := s.act(ctx, action, args)
	return err
}

func (s *Simulator) Requests(context.Context) []Request { return s.sent }

// line is a line of a snapshot.
type line struct {
	Node
	depth int
	ref   string
}
