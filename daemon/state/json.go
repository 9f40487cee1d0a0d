package state

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// members decodes one JSON object of version 1 that has the named members and
// no others. Its errors say what is wrong and never repeat what stands there,
// which may be the token.
func members(data []byte, names ...string) (map[string]jsontext.Value, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("it is empty")
	}
	var all map[string]jsontext.Value
	if err := json.Unmarshal(data, &all); err != nil {
		if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			if errors.Is(s, jsontext.ErrDuplicateName) {
				return nil, fmt.Errorf("a name stands twice in it, at byte %d", s.ByteOffset)
			}
			return nil, fmt.Errorf("it is no JSON, at byte %d", s.ByteOffset)
		}
		return nil, errors.New("it is no JSON object")
	}
	if all == nil {
		return nil, errors.New("it is no JSON object")
	}
	if string(all["version"]) != "1" {
		return nil, errors.New(`it is not of "version":1, the only one that this omw knows`)
	}
	for name := range all {
		if name != "version" && !slices.Contains(names, name) {
			return nil, errors.New("it holds a member that this omw does not know")
		}
	}
	for _, name := range names {
		if all[name] == nil {
			return nil, fmt.Errorf("%q is missing", name)
		}
	}
	return all, nil
}
