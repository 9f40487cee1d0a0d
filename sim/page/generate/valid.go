package generate

import (
	"math"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf16"
)

// mail is the production of a valid e-mail address (HTML 4.10.5.1.5).
var mail = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$")

// barred says that the control is no candidate for constraint validation (HTML
// 4.10.21.2).
func (c *control) barred() bool {
	if c.disabled || c.datalist {
		return true
	}
	if c.tag == "button" {
		return c.typ != "submit"
	}
	if c.tag == "select" {
		return false
	}
	// readonly bars an input of any type (HTML 4.10.5.3.3).
	return c.readonly || c.typ == "hidden" || c.typ == "reset" || c.typ == "button"
}

// invalid names the constraint that the control breaks, "" if none (HTML
// 4.10.21.1).
func (s *State) invalid(c *control) string {
	switch v := s.value[c]; {
	case c.barred():
		return ""
	case c.required && s.missing(c):
		return "valueMissing"
	case v == "" || c.tag == "select" || c.button() || c.checkable():
		return ""
	case c.typ == "email" && !mail.MatchString(v):
		return "typeMismatch"
	case c.typ == "url" && !absolute(v):
		return "typeMismatch"
	case c.pattern != "" && !regexp.MustCompile(`^(?:`+c.pattern+`)$`).MatchString(v):
		return "patternMismatch"
	case s.edited[c] && c.maxlen > 0 && units(v) > c.maxlen:
		return "tooLong"
	case s.edited[c] && c.minlen > 0 && units(v) < c.minlen:
		return "tooShort"
	case c.typ == "number":
		return c.outOfRange(v)
	case c.typ == "date" && c.min != "" && v < c.min:
		return "rangeUnderflow"
	case c.typ == "date" && c.max != "" && v > c.max:
		return "rangeOverflow"
	}
	return ""
}

// missing says that the control suffers from being missing.
func (s *State) missing(c *control) bool {
	switch {
	case c.tag == "select":
		on := s.selected[c]
		return len(on) == 0 || len(on) == 1 && on[0] == c.placeholder()
	case c.typ == "checkbox":
		return !s.checked[c]
	case c.typ == "radio":
		for _, o := range s.group(c) {
			if s.checked[o] {
				return false
			}
		}
		return true
	case c.typ == "range" || c.typ == "color" || c.button():
		return false
	case c.typ == "file":
		return true
	}
	return s.value[c] == ""
}

func (c *control) outOfRange(v string) string {
	f, _ := number(v)
	low, bounded := number(c.min)
	if bounded && f < low {
		return "rangeUnderflow"
	}
	if high, ok := number(c.max); ok && f > high {
		return "rangeOverflow"
	}
	if c.step == "any" {
		return ""
	}
	step, ok := number(c.step)
	if !ok || step <= 0 {
		step = 1
	}
	base := low
	if !bounded {
		base, _ = number(c.def)
	}
	if n := (f - base) / step; math.Abs(n-math.Round(n)) > 1e-9 {
		return "stepMismatch"
	}
	return ""
}

// absolute says that v parses as a URL on its own.
func absolute(v string) bool {
	u, err := url.Parse(v)
	return err == nil && u.Scheme != "" && (u.Host != "" || u.Opaque != "")
}

// units is the length of v as HTML counts it.
func units(v string) int { return len(utf16.Encode([]rune(v))) }

// firstStrong is the direction of dir=auto: that of the first strong character.
func firstStrong(v string) string {
	for _, c := range v {
		switch {
		case c >= 0x590 && c <= 0x8ff, c >= 0xfb1d && c <= 0xfdff, c >= 0xfe70 && c <= 0xfefc:
			return "rtl"
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= 0xc0 && c < 0x590 && c != 0xd7 && c != 0xf7:
			return "ltr"
		}
	}
	return "ltr"
}

func direction(c *control, v string) string {
	if c.dir == "auto" {
		return firstStrong(v)
	}
	if strings.EqualFold(c.dir, "rtl") {
		return "rtl"
	}
	return "ltr"
}
