package memnet

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// A ring of any size gives back what was put in, in order, and never holds
// more than its limit of memory.
func TestRingIsAQueue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := ring{limit: rapid.IntRange(1, 3000).Draw(t, "limit")}
		var model []byte
		next := byte(0)
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if rapid.Bool().Draw(t, "put") {
				p := make([]byte, rapid.IntRange(0, r.room()).Draw(t, "n"))
				for i := range p {
					p[i] = next
					next++
				}
				r.put(p)
				model = append(model, p...)
			} else {
				p := make([]byte, rapid.IntRange(0, r.limit+1).Draw(t, "n"))
				n := r.take(p)
				if !bytes.Equal(p[:n], model[:n]) || n != min(len(p), len(model)) {
					t.Fatalf("took %v, want the first of %v", p[:n], model)
				}
				model = model[n:]
			}
			if r.len() != len(model) || r.room() != r.limit-len(model) || len(r.mem) > r.limit {
				t.Fatalf("len %d, room %d, memory %d with %d of %d bytes", r.len(), r.room(), len(r.mem), len(model), r.limit)
			}
		}
	})
}
