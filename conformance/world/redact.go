package world

import (
	"regexp"
	"strings"
)

// shapes are what secrets look like where nobody told us of them: a wrong
// daemon may make up tokens of its own.
var shapes = []struct {
	shape *regexp.Regexp
	by    string
}{
	{regexp.MustCompile(`(?i)(bearer +)[^\s"',]+`), "${1}[token]"},
	{regexp.MustCompile(`(?i)(omw-token\.)[^\s"',]+`), "${1}[token]"},
	// JSON, also where a reason quotes it and its quotes are escaped.
	{regexp.MustCompile(`(\\*"token\\*"\s*:\s*\\*")[^"\\]*`), "${1}[token]"},
	{regexp.MustCompile(`(\\*"code\\*"\s*:\s*\\*")[0-9]{6}(\\*")`), "${1}[code]${2}"},
}

// Redact removes from s what looks like a token or a pairing code. Where the
// secrets themselves are known, Transcript.Redact removes these, too.
func Redact(s string) string { return redact(s, nil) }

func redact(s string, secrets []string) string {
	for _, secret := range secrets {
		s = strings.ReplaceAll(s, secret, "[secret]")
	}
	for _, sh := range shapes {
		s = sh.shape.ReplaceAllString(s, sh.by)
	}
	return s
}
