package memnet

import (
	"io"
	"net"
	"time"
)

// Fault changes how bytes move in one direction of a Faulty. Values without a
// pointer may be used for several connections; what they count, they count a
// connection.
type Fault interface {
	// On returns next as the fault lets it through on d.
	On(d *Direction, next Move) Move
}

// Stall lets nothing move from now on, until the faults are replaced, the
// deadline passes or the connection is closed.
type Stall struct{}

// On is Fault's.
func (Stall) On(d *Direction, _ Move) Move {
	return func([]byte) (int, error) { return 0, d.Wait(Forever) }
}

// Split moves at most Size bytes at a time: every Read returns at most so many,
// every Write goes in pieces.
type Split struct{ Size int }

// On is Fault's.
func (s Split) On(d *Direction, next Move) Move {
	size := max(s.Size, 1)
	return func(p []byte) (int, error) {
		if d.Reading() {
			return next(p[:min(size, len(p))])
		}
		for done := 0; ; {
			n, err := next(p[done : done+min(size, len(p)-done)])
			if done += n; err != nil || done == len(p) {
				return done, err
			}
		}
	}
}

// Delay lets bytes through D later.
type Delay struct{ D time.Duration }

// On is Fault's.
func (f Delay) On(d *Direction, next Move) Move {
	return func(p []byte) (int, error) {
		if !d.Reading() {
			if err := d.Wait(f.D); err != nil {
				return 0, err
			}
			return next(p)
		}
		n, err := next(p)
		if n == 0 {
			return n, err
		}
		if stop := d.Wait(f.D); stop != nil {
			d.Keep(p[:n])
			return 0, stop
		}
		return n, err
	}
}

// CutAfter closes the connection (FIN) when Bytes bytes have moved.
type CutAfter struct{ Bytes int64 }

// On is Fault's.
func (f CutAfter) On(d *Direction, next Move) Move { return cut(d, f.Bytes, next, d.Close) }

// Reset resets the connection (RST) when After bytes have moved.
type Reset struct{ After int64 }

// On is Fault's.
func (f Reset) On(d *Direction, next Move) Move { return cut(d, f.After, next, d.Reset) }

// cut lets left bytes through and then ends the connection with end.
func cut(d *Direction, left int64, next Move, end func() error) Move {
	over := func() (int, error) {
		_ = end()
		if d.Reading() {
			return 0, io.EOF
		}
		return 0, net.ErrClosed
	}
	return func(p []byte) (int, error) {
		if left <= 0 {
			return over()
		}
		n, err := next(p[:min(left, int64(len(p)))])
		if left -= int64(n); left > 0 {
			return n, err
		}
		_, gone := over()
		if n == len(p) || d.Reading() {
			return n, nil
		}
		return n, gone
	}
}
