package protocol

import (
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// elements calls each for the elements of the array v, in their order. An error
// of each ends the walk and is returned.
func elements(v jsontext.Value, each func(jsontext.Value) error) error {
	switch {
	case len(v) == 0:
		return errMissing
	case v.Kind() != '[':
		return fmt.Errorf("must be an array, not %s", kindName(v.Kind()))
	}
	r := fromPage.open(v)
	defer r.close()
	if _, err := r.dec.ReadToken(); err != nil {
		return syntax(err)
	}
	for r.dec.PeekKind() != ']' {
		item, err := r.dec.ReadValue()
		if err != nil {
			return syntax(err)
		}
		if err := each(item[:len(item):len(item)]); err != nil {
			return err
		}
	}
	return nil
}

// texts returns the strings of the array v.
func texts(v jsontext.Value) ([]string, error) {
	var out []string
	err := elements(v, func(v jsontext.Value) error {
		s, err := text(v)
		if err != nil {
			return fmt.Errorf("must be an array of strings: one %w", err)
		}
		out = append(out, s)
		return nil
	})
	return out, err
}
