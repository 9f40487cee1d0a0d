package redact

import (
	"regexp"
	"strings"
	"sync"
)

// credentials are what a URL shows to be secret: the password before a host, and
// parameters whose names say so.
var credentials = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/?#"'<>@:]*:([^\s/?#"'<>@]+)@`),
		regexp.MustCompile(`(?i)[?&#;][a-z0-9_.-]*(?:token|secret|passw(?:or)?d|passwd|pwd|api_?key|apikey|access_?key|auth|session_?id|sid|signature|sig|credential)[a-z0-9_.-]*=([^\s&#;"'<>]+)`),
	}
})

// withoutCredentials replaces them by as many letters.
func withoutCredentials(text string) string {
	for _, c := range credentials() {
		if !strings.ContainsAny(text, "?&#;@") {
			return text
		}
		at := 0
		var b strings.Builder
		for _, m := range c.FindAllStringSubmatchIndex(text, -1) {
			b.WriteString(text[at:m[2]])
			b.WriteString(strings.Repeat("x", m[3]-m[2]))
			at = m[3]
		}
		text = b.String() + text[at:]
	}
	return text
}
