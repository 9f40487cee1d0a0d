package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
)

// asJSON returns the JSON of a value that this package made, which always has one.
func asJSON(v any) []byte {
	b, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		panic("api: " + err.Error())
	}
	return b
}

func replyJSON(w http.ResponseWriter, status int, v any) { reply(w, status, asJSON(v)) }

// hasToken reports whether a list header holds a token, without case (RFC 9110 §5.6.1).
func hasToken(lines []string, token string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return slices.ContainsFunc(strings.Split(line, ","), func(item string) bool {
			return strings.EqualFold(strings.Trim(item, " \t"), token)
		})
	})
}
