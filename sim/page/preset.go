package page

import (
	"errors"
	"net/http"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ruleSet is what presets or headers set for a tab.
type ruleSet struct {
	raw   jsontext.Value
	rules []requestRule
}

// requestRule is common.json's preset-rule or header-rule.
type requestRule struct {
	URL      string             `json:"url"`
	Types    []string           `json:"types"`
	Block    bool               `json:"block"`
	Redirect string             `json:"redirect"`
	Request  map[string]*string `json:"request"`
	Response map[string]*string `json:"response"`
}

var errBlocked = errors.New("net::ERR_BLOCKED_BY_CLIENT")

// setRules performs presets and headers.
func (c *call) setRules(b *tab) (any, error) {
	switch c.text("cmd") {
	case "set":
		raw, _ := protocol.Arg(c.args, "rules")
		set := ruleSet{raw: raw.Clone()}
		if err := json.Unmarshal(raw, &set.rules); err != nil {
			return nil, fail(protocol.BadRequest, "the rules cannot be read")
		}
		b.rules[c.action] = set
	case "clear":
		delete(b.rules, c.action)
	}
	if set, ok := b.rules[c.action]; ok {
		return map[string]any{"rules": set.raw}, nil
	}
	return map[string]any{"rules": []int{}}, nil
}

// preset applies the first preset that fits the request.
func (c *call) preset(b *tab, entry *request, kind string, req *Request) error {
	for _, r := range b.rules["presets"].rules {
		if !matches(r.URL, req.URL) || (len(r.Types) > 0 && !slices.Contains(r.Types, kind)) {
			continue
		}
		if r.Block {
			entry.Error, entry.Blocked = errBlocked.Error(), true
			return errBlocked
		}
		if to := resolve(parsed(req.URL), r.Redirect); to != "" && to != req.URL {
			req.URL = withoutFragment(to)
			entry.URL = req.URL
		}
		return nil
	}
	return nil
}

// headers are a request's with the cookies, as the tab's rules change them.
func (c *call) headers(b *tab, req *Request) http.Header {
	h := req.Header.Clone()
	if h == nil {
		h = http.Header{}
	}
	if cookies := c.t.jar.header(parsed(req.URL)); cookies != "" {
		h.Set("Cookie", cookies)
	}
	for _, r := range b.rules["headers"].rules {
		if matches(r.URL, req.URL) {
			change(h, r.Request)
		}
	}
	return h
}

// answered keeps the cookies that an answer sets; the tab's rules change its headers.
func (c *call) answered(b *tab, req *Request, got *Response) {
	for _, r := range b.rules["headers"].rules {
		if matches(r.URL, req.URL) {
			got.Header = got.Header.Clone()
			change(got.Header, r.Response)
		}
	}
	c.t.jar.take(parsed(req.URL), got.Header)
}

func change(h http.Header, to map[string]*string) {
	for name, value := range to {
		if value == nil {
			h.Del(name)
			continue
		}
		h.Set(name, *value)
	}
}
