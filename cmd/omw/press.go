package main

import "strings"

func pressVerb() *verb {
	return &verb{
		name: "press", aliases: []string{"press_key"}, action: "press", short: "Press a key, with modifiers before it",
		long: `KEY is named as KeyboardEvent.key names it. Without TARGET it goes where the focus is. --key is
taken as it is.`,
		examples: []string{"press Enter", "press Control+a", "press ArrowDown @e5", "press Shift++"},
		words:    []word{{name: "KEY", fills: []string{"key"}, take: takeKey}, maybe(target)},
	}
}

// takeKey takes the modifiers off a key: Control+Shift+a. The last + may be the
// key itself.
func takeKey(r *request, text string) error {
	modifiers, _ := r.argument("modifiers")
	for again := true; again; {
		again = false
		for _, m := range modifiers.Enum {
			if rest, ok := strings.CutPrefix(text, m+"+"); ok && rest != "" {
				if err := r.set("modifiers", m); err != nil {
					return err
				}
				text, again = rest, true
			}
		}
	}
	return r.set("key", text)
}
