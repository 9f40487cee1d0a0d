package page

import (
	"regexp"
	"sync"
)

// expression returns a regular expression that is compiled when it is first used:
// a program that links this package and shows no page pays for none.
func expression(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}
