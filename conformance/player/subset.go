package player

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// has says what part of want is not in got: members of objects by their names,
// everything else as a whole; nil if all of it is there.
func has(got, want []byte) error {
	var g, w any
	if err := json.Unmarshal(want, &w); err != nil {
		return fmt.Errorf("what is wanted is no JSON: %w", err)
	}
	if err := json.Unmarshal(got, &g); err != nil {
		return fmt.Errorf("it has no JSON: %.200q", got)
	}
	return part("", g, w)
}

func part(at string, got, want any) error {
	w, ok := want.(map[string]any)
	g, both := got.(map[string]any)
	if !ok || !both {
		if reflect.DeepEqual(got, want) {
			return nil
		}
		name := at
		if name == "" {
			name = "the whole"
		}
		return fmt.Errorf("%s is %s, not %s", name, asJSON(got), asJSON(want))
	}
	for _, key := range sortedKeys(w) {
		name := key
		if at != "" {
			name = at + "." + key
		}
		v, there := g[key]
		if !there {
			return fmt.Errorf("%s is not there", name)
		}
		if err := part(name, v, w[key]); err != nil {
			return err
		}
	}
	return nil
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return brief(string(b))
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
