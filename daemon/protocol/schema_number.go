package protocol

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// numberRule bounds a number. The bounds are exact for whole numbers within
// int64; others are compared as the float64 that the browser will make of them.
type numberRule struct {
	whole     bool
	low, high *float64
	// above is true if low itself is too low.
	above bool
}

func (n *numberRule) walk(r *reader) *fault {
	v, err := r.dec.ReadValue()
	switch {
	case err != nil:
		return broken(err)
	case n.whole && !n.fitsWhole(v), !n.whole && !n.fits(v):
		return faultf("must be %s", n)
	}
	return nil
}

// asks reports whether n refuses any number.
func (n *numberRule) asks() bool { return n.whole || n.low != nil || n.high != nil }

func (n *numberRule) fits(v jsontext.Value) bool {
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil {
		return false
	}
	switch {
	case n.low != nil && n.above && f <= *n.low:
		return false
	case n.low != nil && f < *n.low:
		return false
	case n.high != nil && f > *n.high:
		return false
	}
	return true
}

func (n *numberRule) fitsWhole(v jsontext.Value) bool {
	i, ok := wholeNumber(string(v))
	switch {
	case !ok:
		return false
	case n.low != nil && (i < int64(*n.low) || n.above && i == int64(*n.low)):
		return false
	case n.high != nil && i > int64(*n.high):
		return false
	}
	return true
}

// wholeNumber returns the whole number that a JSON number is. As in JSON
// Schema 12.0 and 1.2e1 are 12. Beyond int64 it gives up, which no bound of
// ours reaches.
func wholeNumber(s string) (int64, bool) {
	if i, err := strconv.ParseInt(s, 10, 64); err == nil {
		return i, true
	}
	mantissa, exponent, _ := strings.Cut(strings.ToLower(s), "e")
	digits, fraction, _ := strings.Cut(mantissa, ".")
	fraction = strings.TrimRight(fraction, "0")
	digits += fraction
	if strings.Trim(digits, "-0") == "" {
		return 0, true
	}
	shift := 0
	if exponent != "" {
		var err error
		if shift, err = strconv.Atoi(exponent); err != nil {
			return 0, false
		}
	}
	shift -= len(fraction)
	const most = 19 // digits of an int64
	if shift > most || shift < -len(digits) {
		return 0, false
	}
	if shift < 0 {
		cut := len(digits) + shift
		if strings.Trim(digits[cut:], "0") != "" {
			return 0, false
		}
		digits = digits[:cut]
	} else {
		digits += strings.Repeat("0", shift)
	}
	i, err := strconv.ParseInt(digits, 10, 64)
	return i, err == nil
}

// String says what the rule asks for.
func (n *numberRule) String() string {
	what := "a number"
	if n.whole {
		what = "a whole number"
	}
	low := "from"
	if n.above {
		low = "above"
	}
	switch {
	case n.low != nil && n.high != nil && n.above:
		return fmt.Sprintf("%s above %s and up to %s", what, plain(*n.low), plain(*n.high))
	case n.low != nil && n.high != nil:
		return fmt.Sprintf("%s from %s to %s", what, plain(*n.low), plain(*n.high))
	case n.low != nil:
		return fmt.Sprintf("%s %s %s", what, low, plain(*n.low))
	}
	return fmt.Sprintf("%s up to %s", what, plain(*n.high))
}

func plain(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }
