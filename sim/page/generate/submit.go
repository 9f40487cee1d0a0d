package generate

import (
	"fmt"
	"net/url"
	"strings"
)

// Entry is a name and a value of an entry list (HTML 4.10.22.4), line ends
// normalized to CRLF as they are on the wire.
type Entry struct{ Name, Value string }

// The encodings of a form, by their names in enctype.
const (
	URLEncoded = "application/x-www-form-urlencoded"
	Multipart  = "multipart/form-data"
	PlainText  = "text/plain"
)

// Request is the request that a page must make.
type Request struct {
	Method string
	// URL is a path with query and fragment, as the address of the page holds no more that counts.
	URL string
	// Enctype is "" for a request without a body.
	Enctype string
	Entries []Entry
	// Body is the body where it is fixed: not with multipart, whose boundary is free.
	Body string
	// Target is where the answer is shown: "" the frame of the form or link itself, "_blank" a new tab.
	Target string
	// Frame is the id of the iframe that sent it, "" for the page.
	Frame string
}

// entries is the entry list of f, by the submit button by, which may be nil.
// Coordinates of an image button are "0".
func (s *State) entries(f *form, by *control) []Entry {
	list := []Entry{}
	for _, c := range s.page.controls {
		if c.form != f || c.disabled || c.datalist || c.button() && c != by {
			continue
		}
		if c.checkable() && !s.checked[c] {
			continue
		}
		if c.tag == "input" && c.typ == "image" {
			prefix := ""
			if c.name != "" {
				prefix = c.name + "."
			}
			list = append(list, Entry{prefix + "x", "0"}, Entry{prefix + "y", "0"})
			continue
		}
		if c.name == "" {
			continue
		}
		if c.tag == "select" {
			for _, o := range s.selected[c] {
				if !o.disabled {
					list = append(list, Entry{crlf(c.name), crlf(o.value)})
				}
			}
			continue
		}
		v := s.value[c]
		switch {
		case c.checkable() && !c.given:
			v = "on"
		case c.typ == "hidden" && strings.EqualFold(c.name, "_charset_"):
			v = "UTF-8"
		case c.tag == "input" && c.typ == "submit" && !c.given:
			// The standard says "", Chromium sends the label that it shows.
			v = "Submit"
		}
		list = append(list, Entry{crlf(c.name), crlf(v)})
		if c.dirname != "" {
			list = append(list, Entry{crlf(c.dirname), direction(c, v)})
		}
	}
	return list
}

// crlf normalizes line ends.
func crlf(s string) string {
	return strings.NewReplacer("\r\n", "\r\n", "\r", "\r\n", "\n", "\r\n").Replace(s)
}

// request is the request of submitting f by the button by (HTML 4.10.22.3), nil
// if none is made.
func (s *State) request(f *form, by *control) *Request {
	action, method, enctype, target := f.action, f.method, f.enctype, f.target
	if by != nil {
		take(&action, by.over.action)
		take(&method, by.over.method)
		take(&enctype, by.over.enctype)
		take(&target, by.over.target)
	}
	r := &Request{Method: "GET", Entries: s.entries(f, by), Target: target, Frame: f.frame}
	base, _ := url.Parse(s.page.base())
	if action == "" && f.frame != "" {
		// The URL of its document is about:srcdoc, where nobody listens.
		return nil
	}
	if action == "" {
		base, _ = url.Parse(s.page.Path())
	}
	u, err := base.Parse(action)
	if err != nil {
		panic(fmt.Sprintf("generate: action %q of seed %d: %v", action, s.page.Seed, err))
	}
	if strings.EqualFold(method, "post") {
		r.Method, r.URL = "POST", u.String()
		switch {
		case strings.EqualFold(enctype, Multipart):
			r.Enctype = Multipart
		case strings.EqualFold(enctype, PlainText):
			r.Enctype = PlainText
			for _, e := range r.Entries {
				r.Body += e.Name + "=" + e.Value + "\r\n"
			}
		default:
			r.Enctype, r.Body = URLEncoded, Encode(r.Entries)
		}
		return r
	}
	u.RawQuery = Encode(r.Entries)
	u.ForceQuery = true
	r.URL = u.String()
	return r
}

func take(s *string, over *string) {
	if over != nil {
		*s = *over
	}
}

// Encode is the application/x-www-form-urlencoded serializer of the URL
// standard, in UTF-8.
func Encode(list []Entry) string {
	var b strings.Builder
	component := func(s string) {
		for i := range len(s) {
			switch c := s[i]; {
			case c == ' ':
				b.WriteByte('+')
			case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("*-._", c) >= 0:
				b.WriteByte(c)
			default:
				fmt.Fprintf(&b, "%%%02X", c)
			}
		}
	}
	for i, e := range list {
		if i > 0 {
			b.WriteByte('&')
		}
		component(e.Name)
		b.WriteByte('=')
		component(e.Value)
	}
	return b.String()
}
