package gate

import (
	"iter"
	"strings"
)

// members yields the members of a comma-separated header that may stand in
// several lines (RFC 9110 section 5.6.1), without the blanks around them.
// Empty members are passed over.
func members(lines []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, line := range lines {
			for member := range strings.SplitSeq(line, ",") {
				member = strings.Trim(member, " \t")
				if member != "" && !yield(member) {
					return
				}
			}
		}
	}
}
