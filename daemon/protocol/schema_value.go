package protocol

import (
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func (t *textRule) walk(r *reader) *fault {
	v, err := r.dec.ReadValue()
	if err != nil {
		return broken(err)
	}
	raw, badUTF8 := jsontext.AppendUnquote(nil, v)
	length := utf8.RuneCount(raw)
	switch {
	case t.path:
		if badUTF8 != nil {
			return faultf("must be an absolute path, and holds a lone surrogate")
		}
		if why := notAPath(string(raw)); why != "" {
			return faultf("must be an absolute path, %s", why)
		}
	case length < t.least && t.least == 1:
		return faultf("must not be empty")
	case length < t.least:
		return faultf("must have at least %d characters, and has %d", t.least, length)
	case t.most >= 0 && length > t.most:
		return faultf("must have at most %d characters, and has %d", t.most, length)
	case t.pattern != nil && !t.pattern.Match(raw):
		return faultf("is %s, which does not match %s", quoteShort(string(raw)), t.pattern)
	}
	return nil
}

// CheckPath reports why path cannot name a file for the daemon: the format
// "absolute-path" of the schemas. It is not looked up.
func CheckPath(path string) error {
	if why := notAPath(path); why != "" {
		return faultf("must be an absolute path, %s", why).named("the path")
	}
	return nil
}

// notAPath says why path is no absolute path of a file, or nothing.
func notAPath(path string) string {
	switch {
	case path == "":
		return "and is empty"
	case strings.HasPrefix(path, "file://"):
		return "not a file: URL"
	case !utf8.ValidString(path):
		return "and is not valid UTF-8"
	case strings.ContainsRune(path, 0):
		return "and holds a NUL"
	case !filepath.IsAbs(path):
		return "and " + quoteShort(path) + " is relative"
	case strings.ContainsRune(separators, rune(path[len(path)-1])):
		return "and ends in a separator, as a directory does"
	}
	return ""
}

// separators end the path of a directory. On Windows a slash does as well.
var separators = string(filepath.Separator) + "/"

func (a *arrayRule) walk(r *reader) *fault {
	if _, err := r.dec.ReadToken(); err != nil {
		return broken(err)
	}
	n := 0
	var seen []scalar
	for ; r.dec.PeekKind() != ']'; n++ {
		var f *fault
		if a.unique {
			f = a.walkUnique(r, &seen)
		} else {
			f = a.items.walk(r)
		}
		if f != nil {
			return f.item(n)
		}
	}
	if _, err := r.dec.ReadToken(); err != nil {
		return broken(err)
	}
	switch {
	case n < a.least:
		return faultf("must have at least %d in it, and has %d", a.least, n)
	case a.most >= 0 && n > a.most:
		return faultf("must have at most %d in it, and has %d", a.most, n)
	}
	return nil
}

// walkUnique reads an item of an enumeration that must not come again. Seen
// stays as short as the enumeration.
func (a *arrayRule) walkUnique(r *reader, seen *[]scalar) *fault {
	got, f := a.items.walkEnum(r)
	if f != nil {
		return f
	}
	if slices.Contains(*seen, got) {
		return faultf("is %s for the second time", got)
	}
	*seen = append(*seen, got)
	return nil
}
