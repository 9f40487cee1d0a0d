package memnet

import (
	"io"
	"net"
	"testing"
)

// BenchmarkEcho is a round trip of 150 bytes, as of a command, beside net.Pipe.
func BenchmarkEcho(b *testing.B) {
	forEachPair(b, func(b *testing.B, near, far net.Conn) {
		go func() {
			buf := make([]byte, 256)
			for {
				n, err := far.Read(buf)
				if err != nil {
					return
				}
				if _, err := far.Write(buf[:n]); err != nil {
					return
				}
			}
		}()
		buf := make([]byte, 150)
		for b.Loop() {
			if _, err := near.Write(buf); err != nil {
				b.Fatal(err)
			}
			if _, err := io.ReadFull(near, buf); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkBulk moves 1 MiB in one direction.
func BenchmarkBulk(b *testing.B) {
	forEachPair(b, func(b *testing.B, near, far net.Conn) {
		const size = 1 << 20
		b.SetBytes(size)
		sent := make([]byte, size)
		go func() {
			for {
				if _, err := near.Write(sent); err != nil {
					return
				}
			}
		}()
		buf := make([]byte, size)
		for b.Loop() {
			if _, err := io.ReadFull(far, buf); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func forEachPair(b *testing.B, run func(b *testing.B, near, far net.Conn)) {
	pairs := map[string]func() (net.Conn, net.Conn){
		"memnet":  func() (net.Conn, net.Conn) { return Pipe(0) },
		"faulty":  func() (net.Conn, net.Conn) { x, y := Pipe(0); return Wrap(x), Wrap(y) },
		"netpipe": net.Pipe,
	}
	for _, name := range []string{"memnet", "faulty", "netpipe"} {
		b.Run(name, func(b *testing.B) {
			near, far := pairs[name]()
			defer near.Close()
			defer far.Close()
			run(b, near, far)
		})
	}
}
