package lane

import (
	"runtime"
	"strings"
)

// inBubble stands in the first line of a goroutine's stack before the number
// of its bubble.
const inBubble = ", synctest bubble "

// bubble returns the number of the bubble that it is called in, or "".
func bubble() string {
	var buf [256]byte
	head, _, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), "\n")
	_, id, _ := strings.Cut(head, inBubble)
	id, _, _ = strings.Cut(id, "]")
	return id
}

const (
	// dumpSize bounds the dump of all goroutines, stackSize what is kept of it.
	dumpSize  = 4 << 20
	stackSize = 16 << 10
)

// stacks returns the stacks of the goroutines of a bubble, so that a leak or a
// hang says where it is. It stops the world, and is for failures alone.
func stacks(id string) string {
	if id == "" {
		return ""
	}
	buf := make([]byte, dumpSize)
	dump := string(buf[:runtime.Stack(buf, true)])
	var b strings.Builder
	for one := range strings.SplitSeq(dump, "\n\n") {
		head, _, _ := strings.Cut(one, "\n")
		if !strings.Contains(head, inBubble+id+"]") {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(one)
		if b.Len() > stackSize {
			return b.String()[:stackSize] + "…"
		}
	}
	return b.String()
}
