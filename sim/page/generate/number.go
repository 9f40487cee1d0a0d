package generate

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// float is a valid floating-point number of HTML 2.3.4.3, whole.
var float = regexp.MustCompile(`^-?(\d+(\.\d+)?|\.\d+)([eE][-+]?\d+)?$`)

func number(v string) (float64, bool) {
	if !float.MatchString(v) {
		return 0, false
	}
	f, err := strconv.ParseFloat(v, 64)
	return f, err == nil
}

// shortest writes f as ECMAScript's Number::toString does for the sizes used here.
func shortest(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// slide is the sanitization of a range: a number, else the middle; within min
// and max; on a step, the upper of two as near (HTML 4.10.5.1.13).
func (c *control) slide(v string) string {
	low, ok := number(c.min)
	if !ok {
		low = 0
	}
	high, ok := number(c.max)
	if !ok {
		high = 100
	}
	f, ok := number(v)
	if !ok {
		f = low + (high-low)/2
		if high < low {
			f = low
		}
	}
	changed := !ok
	if f > high {
		f, changed = high, true
	}
	if f < low {
		f, changed = low, true
	}
	step, ok := number(c.step)
	if !ok || step <= 0 {
		step = 1
	}
	if c.step != "any" {
		n := math.Floor((f-low)/step + 0.5)
		on := low + n*step
		if on > high {
			on = low + (n-1)*step
		}
		if math.Abs(on-f) > 1e-9 {
			f, changed = on, true
		}
	}
	if !changed {
		return v
	}
	return shortest(f)
}

var hex = regexp.MustCompile(`^#[0-9A-Fa-f]{6}$`)

// colour is the sanitization of a color for the values used here: a simple
// colour in lower case, black for what is none.
func colour(v string) string {
	if !hex.MatchString(v) {
		return "#000000"
	}
	return strings.ToLower(v)
}

// moment are the valid strings of the date and time states.
var moment = map[string]*regexp.Regexp{
	"date":           regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])$`),
	"time":           regexp.MustCompile(`^([01]\d|2[0-3]):[0-5]\d$`),
	"month":          regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])$`),
	"week":           regexp.MustCompile(`^\d{4}-W(0[1-9]|[1-4]\d|5[0-2])$`),
	"datetime-local": regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|1\d|2[0-8])T([01]\d|2[0-3]):[0-5]\d$`),
}
