package memnet

// ring is a queue of at most limit bytes. Its memory grows with its use, since
// a run may hold a thousand connections that carry little.
type ring struct {
	limit   int
	mem     []byte
	head, n int
}

func (r *ring) len() int  { return r.n }
func (r *ring) room() int { return r.limit - r.n }

// put appends p, which must fit.
func (r *ring) put(p []byte) {
	r.grow(r.n + len(p))
	tail := r.head + r.n
	if tail >= len(r.mem) {
		tail -= len(r.mem)
	}
	k := copy(r.mem[tail:], p)
	copy(r.mem, p[k:])
	r.n += len(p)
}

// take moves up to len(p) bytes into p.
func (r *ring) take(p []byte) int {
	want := min(len(p), r.n)
	k := copy(p[:want], r.mem[r.head:])
	copy(p[k:want], r.mem)
	r.n -= want
	if r.head += want; r.head >= len(r.mem) {
		r.head -= len(r.mem)
	}
	if r.n == 0 {
		r.head = 0
	}
	return want
}

func (r *ring) drop() { r.mem, r.head, r.n = nil, 0, 0 }

func (r *ring) grow(need int) {
	if need <= len(r.mem) {
		return
	}
	size := max(len(r.mem), 512)
	for size < need {
		size *= 2
	}
	mem := make([]byte, min(size, r.limit))
	k := copy(mem[:r.n], r.mem[r.head:])
	copy(mem[k:r.n], r.mem)
	r.mem, r.head = mem, 0
}
