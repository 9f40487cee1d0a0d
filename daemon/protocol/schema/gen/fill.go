package main

import (
	"fmt"
	"strings"
)

const (
	begin = "<!-- made: "
	end   = "<!-- end -->"
)

// fill replaces what stands between the marks of each part by what its maker
// makes. Every part must stand in the page once.
func fill(page []byte, makers map[string]func() (string, error)) ([]byte, error) {
	var out strings.Builder
	rest, made := string(page), map[string]bool{}
	for {
		before, after, found := strings.Cut(rest, begin)
		out.WriteString(before)
		if !found {
			break
		}
		name, after, closed := strings.Cut(after, " -->\n")
		_, after, ended := strings.Cut(after, end)
		maker, known := makers[name]
		switch {
		case !closed || !ended:
			return nil, fmt.Errorf("the part %.40q has no end", name)
		case !known:
			return nil, fmt.Errorf("nothing makes the part %q", name)
		case made[name]:
			return nil, fmt.Errorf("the part %q stands there twice", name)
		}
		made[name] = true
		text, err := maker()
		if err != nil {
			return nil, fmt.Errorf("make %s: %w", name, err)
		}
		fmt.Fprintf(&out, "%s%s -->\n%s\n%s", begin, name, strings.TrimRight(text, "\n"), end)
		rest = after
	}
	for name := range makers {
		if !made[name] {
			return nil, fmt.Errorf("the part %q does not stand in the page", name)
		}
	}
	return []byte(out.String()), nil
}
