package page

import (
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// sanitized is the value sanitization algorithm of an input (HTML, 4.10.5.1).
func sanitized(n *html.Node, v string) string {
	oneline := strings.NewReplacer("\n", "", "\r", "")
	switch t := kind(n); t {
	case "text", "search", "tel", "password":
		return oneline.Replace(v)
	case "url":
		return trim(oneline.Replace(v))
	case "email":
		v = oneline.Replace(v)
		if !has(n, "multiple") {
			return trim(v)
		}
		parts := strings.Split(v, ",")
		for i := range parts {
			parts[i] = trim(parts[i])
		}
		return strings.Join(parts, ",")
	case "number":
		if _, ok := float(v); !ok {
			return ""
		}
	case "date", "month", "week", "time", "datetime-local":
		return moment(t, v)
	case "range":
		return ranged(n, v)
	case "color":
		if v = strings.ToLower(v); !colour().MatchString(v) {
			return "#000000"
		}
	}
	return v
}

var colour = expression(`^#[0-9a-f]{6}$`)

// trim strips ASCII whitespace.
func trim(s string) string { return strings.Trim(s, " \t\n\f\r") }

var validFloat = expression(`^-?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][-+]?[0-9]+)?$`)

// float reads a valid floating-point number (HTML, 2.3.4.3).
func float(s string) (float64, bool) {
	if !validFloat().MatchString(s) {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil && !math.IsInf(f, 0)
}

func nonNegative(s string) (int, bool) {
	n, err := strconv.Atoi(trim(s))
	return n, err == nil && n >= 0
}

// layouts are the valid strings of the types of moments.
var layouts = map[string][]string{
	"date":           {"2006-01-02"},
	"month":          {"2006-01"},
	"time":           {"15:04", "15:04:05", "15:04:05.0", "15:04:05.00", "15:04:05.000"},
	"datetime-local": {"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02T15:04:05.0", "2006-01-02T15:04:05.00", "2006-01-02T15:04:05.000"},
}

var week = expression(`^([0-9]{4,})-W([0-9]{2})$`)

// moment is v in the form that the input keeps, "" if it is no valid string.
func moment(kind, v string) string {
	at, ok := momentOf(kind, v)
	if !ok {
		return ""
	}
	if kind != "datetime-local" {
		return v
	}
	return at.Format("2006-01-02T15:04") + fraction(at)
}

// fraction is the shortest way to write the seconds of a time.
func fraction(at time.Time) string {
	switch {
	case at.Nanosecond() != 0:
		return ":" + strings.TrimRight(at.Format("05.000"), "0")
	case at.Second() != 0:
		return at.Format(":05")
	}
	return ""
}

// momentOf reads a valid string of date, month, week, time or datetime-local.
func momentOf(kind, v string) (time.Time, bool) {
	if kind == "week" {
		return weekOf(v)
	}
	v = strings.Replace(v, " ", "T", 1)
	for _, layout := range layouts[kind] {
		if at, err := time.Parse(layout, v); err == nil && len(v) == len(layout) {
			return at, at.Year() > 0 || kind == "time"
		}
	}
	return time.Time{}, false
}

// weekOf is the Monday of a week of ISO 8601.
func weekOf(v string) (time.Time, bool) {
	m := week().FindStringSubmatch(v)
	if m == nil {
		return time.Time{}, false
	}
	year, _ := strconv.Atoi(m[1])
	n, _ := strconv.Atoi(m[2])
	fourth := time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC)
	monday := fourth.AddDate(0, 0, -(int(fourth.Weekday())+6)%7+7*(n-1))
	if y, w := monday.ISOWeek(); n < 1 || y != year || w != n {
		return time.Time{}, false
	}
	return monday, true
}

// numeric is the value of an input as the number of its type: milliseconds, or
// months for month (HTML, 4.10.5.1: convert a string to a number).
func numeric(kind, v string) (float64, bool) {
	switch kind {
	case "number", "range":
		return float(v)
	case "month":
		at, ok := momentOf(kind, v)
		return float64((at.Year()-1970)*12 + int(at.Month()) - 1), ok
	case "time":
		at, ok := momentOf(kind, v)
		return float64(at.Sub(time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)).Milliseconds()), ok
	case "date", "week", "datetime-local":
		at, ok := momentOf(kind, v)
		return float64(at.UnixMilli()), ok
	}
	return 0, false
}

// ranged is the value of a range input: a number within its bounds, on a step,
// the middle if it is none (HTML, 4.10.5.1.13).
func ranged(n *html.Node, v string) string {
	least, most := bound(n, "min", 0), bound(n, "max", 100)
	f, ok := float(v)
	if !ok {
		f = least
		if most >= least {
			f = least + (most-least)/2
		}
	}
	f = min(f, most)
	f = max(f, least)
	if step, base, ok := stepOf(n); ok {
		k := math.Floor((f-base)/step + 0.5)
		on := base + k*step
		for on > most && on-step >= least {
			on -= step
		}
		for on < least {
			on += step
		}
		if most >= least && on <= most {
			f = on
		}
	}
	return number(f)
}

func bound(n *html.Node, name string, otherwise float64) float64 {
	if f, ok := float(attr(n, name)); ok {
		return f
	}
	return otherwise
}

// number writes f to 15 digits, so that what steps add up to reads as it was meant.
func number(f float64) string {
	f, _ = strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	return jsNumber(f)
}

// jsNumber writes f as JavaScript does (ECMA-262, Number::toString).
func jsNumber(f float64) string {
	if f == 0 {
		return "0"
	}
	if a := math.Abs(f); a >= 1e21 || a < 1e-6 {
		return strings.NewReplacer("e+0", "e+", "e-0", "e-").Replace(strconv.FormatFloat(f, 'e', -1, 64))
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}

// steps are the scale and the default step of each type, in numeric's unit.
var steps = map[string]struct{ scale, step float64 }{
	"number": {1, 1}, "range": {1, 1}, "date": {86400000, 1}, "month": {1, 1}, "week": {604800000, 1},
	"time": {1000, 60}, "datetime-local": {1000, 60},
}

// stepOf is the allowed value step and the step base (HTML, 4.10.5.3.8); false if
// any value is on a step.
func stepOf(n *html.Node) (step, base float64, ok bool) {
	t := kind(n)
	s, known := steps[t]
	if !known || word(n, "step") == "any" {
		return 0, 0, false
	}
	step = s.step
	if f, good := float(attr(n, "step")); good && f > 0 {
		step = f
	}
	step *= s.scale
	switch {
	case t == "week":
		base = -259200000
	}
	if f, good := numeric(t, attr(n, "min")); good {
		base = f
	} else if f, good := numeric(t, attr(n, "value")); good {
		base = f
	}
	return step, base, true
}
