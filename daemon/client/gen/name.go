package main

import "strings"

// spellings are the words that Go does not write with one capital in front.
var spellings = map[string]string{
	"beforeunload": "BeforeUnload", "cdp": "CDP", "dblclick": "DblClick", "domcontentloaded": "DOMContentLoaded",
	"html": "HTML", "http": "HTTP", "id": "ID", "jpeg": "JPEG", "ms": "MS", "pdf": "PDF", "png": "PNG", "url": "URL",
	"websocket": "WebSocket", "xhr": "XHR",
}

// goName returns the exported Go name of a name of the wire: http_only is HTTPOnly.
func goName(s string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '-' }) {
		if up, ok := spellings[word]; ok {
			b.WriteString(up)
			continue
		}
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// singular returns the name of one item of a list: entries is of entry.
func singular(s string) string {
	if stem, ok := strings.CutSuffix(s, "ies"); ok {
		return stem + "y"
	}
	return strings.TrimSuffix(s, "s")
}
