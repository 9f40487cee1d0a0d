package api

import "github.com/go-json-experiment/json"

// asJSON returns the JSON of a value that this package made, which always has one.
func asJSON(v any) []byte {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic("api: " + err.Error())
	}
	return b
}
