package main

import (
	"errors"
	"fmt"
	"strings"
)

// takeWords gives the request what stands without a flag. Words whose argument a
// flag has given already are passed over.
func takeWords(r *request, words []word, args []string) error {
	given := len(args)
	byFlag := ""
	for _, w := range words {
		if r.has(w.fills...) {
			byFlag = w.name
			continue
		}
		if len(args) == 0 {
			if w.optional {
				continue
			}
			return fmt.Errorf("%s is missing", w.name)
		}
		n := 1
		if w.rest {
			n = len(args)
		}
		for _, text := range args[:n] {
			if err := w.give(r, text); err != nil {
				return err
			}
		}
		args = args[n:]
	}
	switch {
	case len(args) == 0:
		return nil
	case byFlag != "":
		return fmt.Errorf("a word is too much: %s is given by a flag", byFlag)
	}
	// What is too much is not repeated: it may be what was to be typed.
	return fmt.Errorf("it takes %s, and %d %s given; put quotes around text with blanks", atMost(words), given, areWords(given))
}

func areWords(n int) string {
	if n == 1 {
		return "word is"
	}
	return "words are"
}

func (w word) give(r *request, text string) error {
	if w.take != nil {
		return w.take(r, text)
	}
	return r.set(w.fills[0], text)
}

func atMost(words []word) string {
	if len(words) == 0 {
		return "no words"
	}
	names := make([]string, len(words))
	for i, w := range words {
		names[i] = w.name
	}
	return strings.Join(names, " ")
}

// isReference reports whether text is a reference of a snapshot, in one of its
// three spellings.
func isReference(text string) bool {
	rest, marked := strings.CutPrefix(text, "@")
	if !marked {
		rest = strings.TrimPrefix(text, "ref=")
	}
	digits, ok := strings.CutPrefix(rest, "e")
	return ok && digits != "" && len(digits) <= 16 && strings.Trim(digits, "0123456789") == ""
}

// target is an element: a reference, else CSS.
var target = word{name: "TARGET", fills: []string{"ref", "selector"}, take: takeTarget}

func takeTarget(r *request, text string) error {
	if isReference(text) {
		return r.set("ref", text)
	}
	if text == "" {
		return errors.New("TARGET is empty; it is a reference of a snapshot, as @e5, or CSS")
	}
	return r.set("selector", text)
}

// maybe returns the word as one that may be left out.
func maybe(w word) word {
	w.optional = true
	return w
}

// one returns the word of that name for an argument.
func one(name, argument string) word { return word{name: name, fills: []string{argument}} }

// use is the verb's line of use.
func (v *verb) use() string {
	parts := []string{v.name}
	if len(v.variants) > 0 {
		names := make([]string, len(v.variants))
		for i := range v.variants {
			names[i] = v.variants[i].name
		}
		if list := strings.Join(names, "|"); v.needsVariant {
			parts = append(parts, list)
		} else {
			parts = append(parts, "["+list+"]")
		}
	}
	return strings.Join(append(parts, wordsUse(v.words)...), " ")
}

func wordsUse(words []word) []string {
	var out []string
	for _, w := range words {
		name := w.name
		if w.rest {
			name += "..."
		}
		if w.optional {
			name = "[" + name + "]"
		}
		out = append(out, name)
	}
	return out
}

// help is what the verb's help says above its flags.
func (v *verb) help() string {
	var b strings.Builder
	b.WriteString(v.short + ".")
	if v.long != "" {
		b.WriteString("\n\n" + v.long)
	}
	if len(v.variants) > 0 {
		b.WriteString("\n")
	}
	for _, w := range v.variants {
		line := strings.Join(append([]string{v.name, w.name}, wordsUse(w.words)...), " ")
		fmt.Fprintf(&b, "\n  omw %-34s %s", line, w.short)
	}
	return b.String()
}

func (v *verb) example() string {
	lines := make([]string, len(v.examples))
	for i, e := range v.examples {
		lines[i] = "  omw " + e
	}
	return strings.Join(lines, "\n")
}
