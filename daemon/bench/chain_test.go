//go:build linux

package bench

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"
)

// The rounds of floor and daemon alternate, so that what the machine does
// beside them hits both; the median round counts.
const (
	rounds    = 5
	roundTime = 1500 * time.Millisecond
	warmUp    = 300 * time.Millisecond
)

// BenchmarkRawEcho is what the machine can do at all: 170 bytes there and back
// over TCP between two processes.
func BenchmarkRawEcho(b *testing.B) {
	for _, c := range []int{16, 128} {
		b.Run(fmt.Sprintf("c=%d", c), func(b *testing.B) {
			p := start(b, "echo")
			message := bytes.Repeat([]byte("x"), 170)
			m := measure(b, p, c, func(conn net.Conn) func() error {
				buf := make([]byte, len(message))
				return func() error {
					if _, err := conn.Write(message); err != nil {
						return err
					}
					_, err := io.ReadFull(conn, buf)
					return err
				}
			}, p.line)
			m.report(b, "")
		})
	}
}

// BenchmarkCommand is a command's way from an agent to the extension and back,
// as a ratio to the floor.
func BenchmarkCommand(b *testing.B) {
	for _, c := range []struct{ callers, reply int }{{1, 150}, {16, 150}, {128, 150}, {16, 64 << 10}, {4, 1 << 20}} {
		b.Run(fmt.Sprintf("c=%d/reply=%s", c.callers, size(c.reply)), func(b *testing.B) {
			compare(b, c.callers, c.reply)
		})
	}
}

func compare(b *testing.B, callers, reply int) {
	floor, real := startChain(b, "floor", reply), startChain(b, "daemon", reply)
	var ofFloor, ofReal []measurement
	for range rounds {
		ofFloor = append(ofFloor, floor.measure(b, callers))
		ofReal = append(ofReal, real.measure(b, callers))
	}
	f, r := median(ofFloor), median(ofReal)
	f.report(b, "floor-")
	r.report(b, "")
	b.ReportMetric(r.perSecond/f.perSecond, "x-floor-op/s")
	b.ReportMetric(r.cpu/f.cpu, "x-floor-cpu")
}

func (c *chain) measure(b *testing.B, callers int) measurement {
	body := `{"action":"evaluate","session":"bench","args":{"code":"document.title + ' ' + location.href"}}`
	request := fmt.Appendf(nil, "POST /command HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		c.addr(), c.token, len(body), body)
	return measure(b, c.daemon, callers, func(conn net.Conn) func() error {
		r := bufio.NewReaderSize(conn, 64<<10)
		return func() error {
			if _, err := conn.Write(request); err != nil {
				return err
			}
			return readAnswer(r)
		}
	}, c.addr())
}

var (
	okLine        = []byte("HTTP/1.1 200 OK")
	contentLength = []byte("Content-Length: ")
	good          = []byte(`"ok":true`)
)

// readAnswer reads one answer and makes sure that it is a good one; a client of
// net/http would cost more than the daemon.
func readAnswer(r *bufio.Reader) error {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return err
	}
	if !bytes.HasPrefix(line, okLine) {
		return fmt.Errorf("answered %q", line)
	}
	length := -1
	for {
		if line, err = r.ReadSlice('\n'); err != nil {
			return err
		}
		if line = bytes.TrimRight(line, "\r\n"); len(line) == 0 {
			break
		}
		if n, found := bytes.CutPrefix(line, contentLength); found {
			if length, err = strconv.Atoi(string(n)); err != nil {
				return err
			}
		}
	}
	head, err := r.Peek(min(length, 128))
	if err != nil {
		return err
	}
	if !bytes.Contains(head, good) {
		return fmt.Errorf("answered %q", head)
	}
	_, err = r.Discard(length)
	return err
}

// measurement is one round: operations and processor microseconds of the
// daemon a second and an operation, and how long one operation took.
type measurement struct {
	perSecond, cpu float64
	p50, p99       time.Duration
}

func (m measurement) report(b *testing.B, prefix string) {
	b.ReportMetric(m.perSecond, prefix+"op/s")
	b.ReportMetric(m.cpu, prefix+"cpu-us/op")
	b.ReportMetric(float64(m.p50.Microseconds()), prefix+"p50-us")
	b.ReportMetric(float64(m.p99.Microseconds()), prefix+"p99-us")
	b.ReportMetric(0, "ns/op") // one operation of testing is a whole round
}

func median(all []measurement) measurement {
	slices.SortFunc(all, func(a, b measurement) int {
		if a.perSecond < b.perSecond {
			return -1
		}
		return 1
	})
	m := all[len(all)/2]
	slices.SortFunc(all, func(a, b measurement) int {
		if a.cpu < b.cpu {
			return -1
		}
		return 1
	})
	m.cpu = all[len(all)/2].cpu
	return m
}

// measure lets so many callers, each with a connection of its own, do one
// operation after the other for a round.
func measure(b *testing.B, p *process, callers int, operation func(net.Conn) func() error, addr string) measurement {
	b.Helper()
	took := make([][]time.Duration, callers)
	errs := make([]error, callers)
	var all sync.WaitGroup
	begin := time.Now().Add(warmUp)
	end := begin.Add(roundTime)
	for i := range callers {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			b.Fatal(err)
		}
		defer conn.Close()
		do := operation(conn)
		all.Go(func() {
			for {
				at := time.Now()
				if at.After(end) {
					return
				}
				if errs[i] = do(); errs[i] != nil {
					return
				}
				if at.After(begin) {
					took[i] = append(took[i], time.Since(at))
				}
			}
		})
	}
	time.Sleep(time.Until(begin))
	before := p.cpu(b)
	all.Wait()
	used, wall := p.cpu(b)-before, time.Since(begin)
	for _, err := range errs {
		if err != nil {
			b.Fatal(err)
		}
	}
	every := slices.Concat(took...)
	slices.Sort(every)
	n := len(every)
	return measurement{
		perSecond: float64(n) / wall.Seconds(), cpu: float64(used.Microseconds()) / float64(n),
		p50: every[n/2], p99: every[n*99/100],
	}
}

func size(n int) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%dMiB", n>>20)
	case n >= 1<<10:
		return fmt.Sprintf("%dKiB", n>>10)
	}
	return fmt.Sprintf("%dB", n)
}
