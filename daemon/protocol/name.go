package protocol

import (
	"errors"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// DefaultSession is the session of a command that names none.
const DefaultSession = "default"

// CheckSession reports why name is no session name: 1 to 128 bytes of valid
// UTF-8 without control or bidirectional override characters and without a
// blank at either end. Names compare byte by byte.
func CheckSession(name string, l Limits) error {
	switch {
	case name == "":
		return errors.New("must not be empty")
	case len(name) > l.SessionName:
		return fmt.Errorf("must have at most %d bytes, and has %d", l.SessionName, len(name))
	case !utf8.ValidString(name):
		return errors.New("must be valid UTF-8")
	}
	for _, r := range name {
		if unicode.IsControl(r) {
			return fmt.Errorf("must not hold the control character U+%04X", r)
		}
		if (r >= 0x202a && r <= 0x202e) || (r >= 0x2066 && r <= 0x2069) {
			return fmt.Errorf("must not hold the bidirectional control U+%04X", r)
		}
	}
	first, _ := utf8.DecodeRuneInString(name)
	last, _ := utf8.DecodeLastRuneInString(name)
	if unicode.IsSpace(first) || unicode.IsSpace(last) {
		return errors.New("must not begin or end with a blank")
	}
	return nil
}

// CheckID reports why id is no request id: 1 to 128 printable ASCII characters.
func CheckID(id string, l Limits) error {
	if id == "" {
		return errors.New("must not be empty")
	}
	if len(id) > l.RequestID {
		return fmt.Errorf("must have at most %d characters, and has %d", l.RequestID, len(id))
	}
	for i := range len(id) {
		if id[i] < 0x20 || id[i] > 0x7e {
			return errors.New("must hold printable ASCII characters alone")
		}
	}
	return nil
}
