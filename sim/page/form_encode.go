package page

import (
	"strings"
)

// crlf normalizes newlines as a submission does (HTML, 4.10.22.6 to 4.10.22.8).
func crlf(s string) string { return strings.ReplaceAll(newlines(s), "\n", "\r\n") }

// urlencoded serializes entries as application/x-www-form-urlencoded (URL
// standard, 5.2). A file is its name.
func urlencoded(list []formEntry) string {
	var b strings.Builder
	for i, e := range list {
		if i > 0 {
			b.WriteByte('&')
		}
		formEscape(&b, crlf(e.name))
		b.WriteByte('=')
		formEscape(&b, crlf(e.value))
	}
	return b.String()
}

// formEscape writes the application/x-www-form-urlencoded percent-encode set.
func formEscape(b *strings.Builder, s string) {
	const hex = "0123456789ABCDEF"
	for i := range len(s) {
		switch ch := s[i]; {
		case ch == ' ':
			b.WriteByte('+')
		case ch == '*' || ch == '-' || ch == '.' || ch == '_' || ch >= '0' && ch <= '9' || ch >= 'A' && ch <= 'Z' || ch >= 'a' && ch <= 'z':
			b.WriteByte(ch)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[ch>>4])
			b.WriteByte(hex[ch&15])
		}
	}
}

// plain serializes entries as text/plain.
func plain(list []formEntry) string {
	var b strings.Builder
	for _, e := range list {
		b.WriteString(crlf(e.name) + "=" + crlf(e.value) + "\r\n")
	}
	return b.String()
}

// boundary parts a multipart body. It is fixed, so that a body can be compared;
// content that holds it gets a longer one.
const boundary = "----SimFormBoundary"

// multipart serializes entries as multipart/form-data (RFC 7578, as HTML narrows
// it) and returns the body and its boundary.
func multipart(list []formEntry) (body, sep string) {
	sep = boundary
	for holds(list, sep) {
		sep += "x"
	}
	quote := strings.NewReplacer("\n", "%0A", "\r", "%0D", `"`, "%22")
	var b strings.Builder
	for _, e := range list {
		b.WriteString("--" + sep + "\r\nContent-Disposition: form-data; name=\"" + quote.Replace(crlf(e.name)) + `"`)
		if e.file == nil {
			b.WriteString("\r\n\r\n" + crlf(e.value) + "\r\n")
			continue
		}
		b.WriteString(`; filename="` + quote.Replace(e.file.name) + "\"\r\nContent-Type: " + e.file.kind + "\r\n\r\n")
		b.Write(e.file.body)
		b.WriteString("\r\n")
	}
	b.WriteString("--" + sep + "--\r\n")
	return b.String(), sep
}

func holds(list []formEntry, sep string) bool {
	for _, e := range list {
		if strings.Contains(e.value, sep) || strings.Contains(e.name, sep) || (e.file != nil && strings.Contains(string(e.file.body), sep)) {
			return true
		}
	}
	return false
}
