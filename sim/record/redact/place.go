package redact

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// fate is what becomes of a string.
type fate int

const (
	// kept: it stays, without the secrets that are swept.
	kept fate = iota
	// secret: another text stands for it, wherever it comes again.
	secret
	// character: a key that is one character becomes another one.
	character
	// bulk: as many letters stand for it; nothing of it is looked for elsewhere.
	bulk
	// file: of a path its last element stays.
	file
)

// items stands in a path for every item of an array, and any for every name.
const (
	items   = "[]"
	anyName = "*"
)

// rule says what becomes of the strings at a path.
type rule struct {
	path []string
	fate fate
}

func at(f fate, path string) rule { return rule{strings.Split(path, " "), f} }

// ofArgs and ofData are the rules of an action's arguments and of its data.
var (
	ofArgs = map[string][]rule{
		"type":    {at(secret, "text")},
		"dialog":  {at(secret, "text")},
		"press":   {at(character, "key")},
		"cookies": {at(secret, "value")},
		"headers": {at(secret, "rules [] request *"), at(secret, "rules [] response *")},
		"upload":  {at(bulk, "files [] base64")},
	}
	ofData = map[string][]rule{
		"cookies":    {at(secret, "cookies [] value")},
		"headers":    {at(secret, "rules [] request *"), at(secret, "rules [] response *")},
		"network":    {at(bulk, "body")},
		"downloads":  {at(file, "downloads [] filename")},
		"screenshot": {at(bulk, "base64")},
		"pdf":        {at(bulk, "base64")},
		// The daemon's own, which reads what is too large for a message.
		"artifact_read": {at(bulk, "base64")},
	}
)

// inCDP are the names under which a message of the DevTools protocol holds what
// is typed, set or loaded, and the values of their members.
var inCDP = map[string]fate{
	"text": secret, "unmodifiedText": secret, "value": secret, "username": secret, "password": secret,
	"postData": secret, "headers": secret, "cookies": secret,
	"key": character, "body": bulk, "data": bulk,
}

// fateOf says what becomes of the string at path.
func fateOf(action string, rules map[string][]rule, path []string) fate {
	if action == "cdp" {
		return fateInCDP(path)
	}
	for _, r := range rules[action] {
		if slices.EqualFunc(r.path, path, func(a, b string) bool { return a == anyName || a == b }) {
			return r.fate
		}
	}
	return kept
}

func fateInCDP(path []string) fate {
	for i, name := range path {
		f, known := inCDP[name]
		switch {
		case !known:
		case i == len(path)-1, name == "headers":
			return f
		}
	}
	return kept
}

// isCharacter reports whether key is one character and no name of a key.
func isCharacter(key string) bool { return utf8.RuneCountInString(key) == 1 }
