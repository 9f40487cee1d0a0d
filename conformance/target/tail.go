package target

import (
	"bytes"
	"sync"
)

// tail is a writer that keeps the last bytes that were written to it, and can
// hand the lines to a function as they become whole. It is safe for concurrent
// use.
type tail struct {
	size int

	mu   sync.Mutex
	kept []byte
	line []byte
	each func(line string)
}

const (
	// logSize is how much of a daemon's output is kept, and outputSize how much
	// of it a StartError shows.
	logSize    = 1 << 20
	outputSize = 64 << 10
)

func newTail(size int, each func(string)) *tail { return &tail{size: size, each: each} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	t.kept = append(t.kept, p...)
	if extra := len(t.kept) - t.size; extra > t.size {
		t.kept = append([]byte(nil), t.kept[extra:]...)
	}
	var whole []string
	if t.each != nil {
		t.line = append(t.line, p...)
		for {
			n := bytes.IndexByte(t.line, '\n')
			if n < 0 {
				break
			}
			whole = append(whole, string(bytes.TrimRight(t.line[:n], "\r")))
			t.line = t.line[n+1:]
		}
		if len(t.line) > t.size {
			t.line = t.line[:0]
		}
	}
	each := t.each
	t.mu.Unlock()
	for _, line := range whole {
		each(line)
	}
	return len(p), nil
}

// String returns the last bytes.
func (t *tail) String() string { return t.last(t.size) }

func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-n):])
}
