package page

import (
	"fmt"
	"net/url"
	"strings"
)

// normal writes u as the URL standard does where Go's parser differs: a scheme
// with an authority has a path, and the default port is left out.
func normal(u *url.URL) string {
	c := *u
	c.Scheme = strings.ToLower(c.Scheme)
	switch c.Scheme {
	case "http", "https":
		c.Host = strings.ToLower(c.Host)
		if (c.Scheme == "http" && c.Port() == "80") || (c.Scheme == "https" && c.Port() == "443") {
			c.Host = strings.TrimSuffix(strings.TrimSuffix(c.Host, ":80"), ":443")
		}
		if c.Path == "" {
			c.Path = "/"
		}
	}
	return c.String()
}

// trimURL takes away what the URL standard strips from a URL in an attribute.
func trimURL(raw string) string {
	raw = strings.Trim(raw, "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f ")
	return strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(raw)
}

// withoutFragment is the part of a URL that goes over the network.
func withoutFragment(raw string) string {
	bare, _, _ := strings.Cut(raw, "#")
	return bare
}

// withQuery replaces the query of raw and drops its fragment.
func withQuery(raw, query string) string {
	bare := withoutFragment(raw)
	bare, _, _ = strings.Cut(bare, "?")
	return bare + "?" + query
}

// matches reports whether raw fits a pattern of the wire: * stands for any
// characters; without one the pattern is any part of the URL.
func matches(pattern, raw string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return strings.Contains(raw, pattern)
	}
	rest, ok := strings.CutPrefix(raw, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// queryEncoded percent-encodes what may not stand in a query (URL, 1.3: the special-query
// percent-encode set).
func queryEncoded(q string) string {
	var b strings.Builder
	for i := range len(q) {
		if c := q[i]; c <= ' ' || c > '~' || strings.IndexByte(`"#<>'`, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
