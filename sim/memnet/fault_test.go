package memnet

import (
	"bytes"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func bubble(t *testing.T, test func(t *testing.T, f *Faulty, peer *Conn)) {
	synctest.Test(t, func(t *testing.T) {
		a, peer := Pipe(0)
		f := Wrap(a)
		defer f.Close()
		defer peer.Close()
		test(t, f, peer)
	})
}

func TestSplitReads(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.In(Split{Size: 3})
		write(t, peer, "12345678")
		require.Equal(t, "123", read(t, f, 100))
		require.Equal(t, "45", read(t, f, 2))
		require.Equal(t, "678", read(t, f, 100))
	})
}

func TestSplitWrites(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		// A delay between the pieces shows them one by one.
		f.Out(Split{Size: 3}, Delay{D: time.Second})
		began := time.Now()
		wrote := make(chan int, 1)
		go func() {
			n, _ := f.Write([]byte("12345678"))
			wrote <- n
		}()
		for i, piece := range []string{"123", "456", "78"} {
			require.Equal(t, piece, read(t, peer, 100))
			require.Equal(t, time.Duration(i+1)*time.Second, time.Since(began))
		}
		require.Equal(t, 8, <-wrote)
	})
}

func TestDelayedReads(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.In(Delay{D: 200 * time.Millisecond})
		began := time.Now()
		go func() {
			time.Sleep(time.Second)
			_, _ = peer.Write([]byte("late"))
		}()
		require.Equal(t, "late", read(t, f, 9))
		require.Equal(t, 1200*time.Millisecond, time.Since(began))
	})
}

// What a delay holds when the deadline passes, or when it is healed, is not lost.
func TestADelayLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.In(Delay{D: time.Second})
		write(t, peer, "kept")
		require.NoError(t, f.SetReadDeadline(time.Now().Add(time.Second-1)))
		_, err := f.Read(make([]byte, 9))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NoError(t, f.SetReadDeadline(time.Time{}))
		go func() {
			time.Sleep(time.Millisecond)
			f.In()
		}()
		began := time.Now()
		require.Equal(t, "kept", read(t, f, 9))
		require.Equal(t, time.Millisecond, time.Since(began))
	})
}

func TestCutAfterReading(t *testing.T) {
	for _, size := range []int64{1, 4, 5} {
		bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
			f.In(CutAfter{Bytes: size})
			write(t, peer, "12345")
			got, _ := io.ReadAll(f)
			require.Equal(t, "12345"[:size], string(got))
			_, err := peer.Read(make([]byte, 1))
			require.Equal(t, io.EOF, err)
		})
	}
}

func TestCutAfterWriting(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.Out(CutAfter{Bytes: 4})
		n, err := f.Write([]byte("12345"))
		require.ErrorIs(t, err, net.ErrClosed)
		require.Equal(t, 4, n)
		got, err := io.ReadAll(peer)
		require.NoError(t, err)
		require.Equal(t, "1234", string(got))
	})
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.Out(CutAfter{Bytes: 5})
		write(t, f, "12345")
		got, err := io.ReadAll(peer)
		require.NoError(t, err)
		require.Equal(t, "12345", string(got))
	})
}

func TestResetAfter(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.Out(Reset{After: 4})
		write(t, f, "123")
		_, err := f.Write([]byte("45"))
		require.ErrorIs(t, err, net.ErrClosed)
		_, err = peer.Read(make([]byte, 9))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.In(Reset{})
		_, err := f.Read(make([]byte, 1))
		require.Equal(t, io.EOF, err)
		_, err = peer.Write([]byte("x"))
		require.ErrorIs(t, err, syscall.ECONNRESET)
	})
}

func TestStallHonoursDeadlines(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.In(Stall{})
		f.Out(Stall{})
		write(t, peer, "there")
		began := time.Now()
		require.NoError(t, f.SetDeadline(began.Add(30*time.Second)))
		_, err := f.Read(make([]byte, 9))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Equal(t, 30*time.Second, time.Since(began))
		n, err := f.Write([]byte("x"))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Zero(t, n)
		require.Zero(t, peer.Unread())
	})
}

func TestStallEndsWithTheConnection(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, _ *Conn) {
		f.In(Stall{})
		errs := make(chan error, 1)
		go func() {
			_, err := f.Read(make([]byte, 1))
			errs <- err
		}()
		synctest.Wait()
		require.NoError(t, f.Close())
		require.ErrorIs(t, <-errs, net.ErrClosed)
	})
}

// A fault catches a Read that waits already, and healing it loses no byte.
func TestFaultsCatchWhatWaits(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		got := make(chan string, 1)
		go func() {
			p := make([]byte, 9)
			n, _ := f.Read(p)
			got <- string(p[:n])
		}()
		synctest.Wait()
		f.In(Stall{})
		write(t, peer, "1234")
		synctest.Wait()
		require.Empty(t, got)
		require.Equal(t, 4, peer.out.waiting(), "a stall is felt as backpressure: nothing was taken")
		f.In(Split{Size: 2})
		require.Equal(t, "12", <-got)
	})
}

// A write that was stalled in the middle goes on where it stopped.
func TestAWriteGoesOnAfterAStall(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		sent := bytes.Repeat([]byte("abcdefgh"), BufferSize/4)
		go func() {
			_, _ = f.Write(sent)
			_ = f.CloseWrite()
		}()
		synctest.Wait()
		f.Out(Stall{})
		first := read(t, peer, BufferSize)
		synctest.Wait()
		require.Zero(t, peer.Unread())
		f.Out()
		rest, err := io.ReadAll(peer)
		require.NoError(t, err)
		require.True(t, bytes.Equal(sent, append([]byte(first), rest...)))
	})
}

// A paused end takes exactly nothing: its peer can write one buffer and no more.
func TestPauseIsExact(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		got := make(chan int, 1)
		go func() {
			n, _ := f.Read(make([]byte, 10))
			got <- n
		}()
		synctest.Wait()
		f.Pause()
		write(t, peer, string(make([]byte, BufferSize)))
		require.NoError(t, peer.SetWriteDeadline(time.Now().Add(time.Second)))
		n, err := peer.Write([]byte("x"))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Zero(t, n)
		require.Empty(t, got)
		f.Resume()
		require.Equal(t, 10, <-got)
	})
}

func TestPauseStandsOverOtherFaults(t *testing.T) {
	bubble(t, func(t *testing.T, f *Faulty, peer *Conn) {
		f.Pause()
		f.In(Split{Size: 1})
		write(t, peer, "ab")
		require.NoError(t, f.SetReadDeadline(time.Now().Add(time.Second)))
		_, err := f.Read(make([]byte, 2))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.NoError(t, f.SetReadDeadline(time.Time{}))
		f.Resume()
		require.Equal(t, "a", read(t, f, 2))
	})
}

// The faults work over a real socket, too.
func TestFaultsOverTCP(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer ln.Close()
	c, err := net.Dial("tcp", ln.Addr().String())
	require.NoError(t, err)
	peer, err := ln.Accept()
	require.NoError(t, err)
	defer peer.Close()
	f := Wrap(c)

	got := make(chan string)
	go func() {
		p := make([]byte, 9)
		n, _ := f.Read(p)
		got <- string(p[:n])
	}()
	f.Pause()
	write(t, peer, "12345")
	f.In(Split{Size: 2})
	f.Resume()
	require.Equal(t, "12", <-got)
	require.Equal(t, "34", read(t, f, 9))

	require.NoError(t, f.Reset())
	_, err = peer.Read(make([]byte, 1))
	require.ErrorIs(t, err, syscall.ECONNRESET)
}

func TestWhatCannotBeDone(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	require.ErrorIs(t, ResetConn(a), ErrCannot)
	require.ErrorIs(t, CloseWrite(a), ErrCannot)
}

// Faults may be replaced at any moment of any move: no byte is lost, doubled or
// stuck, over memory and over a socket.
func TestReplacingFaultsAtAnyMoment(t *testing.T) {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer ln.Close()
	for name, connect := range map[string]func() (net.Conn, net.Conn){
		"memory": func() (net.Conn, net.Conn) { return Pipe(100) },
		"TCP": func() (net.Conn, net.Conn) {
			c, err := net.Dial("tcp", ln.Addr().String())
			require.NoError(t, err)
			peer, err := ln.Accept()
			require.NoError(t, err)
			return c, peer
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, peer := connect()
			out, in := Wrap(c), Wrap(peer)
			sent := make([]byte, 200_000)
			for i := range sent {
				sent[i] = byte(i * 7)
			}
			go func() {
				for p := sent; len(p) > 0; p = p[min(len(p), 1000):] {
					_, _ = out.Write(p[:min(len(p), 1000)])
				}
				_ = out.CloseWrite()
			}()
			got := make(chan []byte)
			go func() {
				all, _ := io.ReadAll(in)
				got <- all
			}()
			changes := []func(){
				func() { out.Out(Stall{}) }, func() { out.Out(Split{Size: 7}) }, func() { out.Out() },
				func() { in.In(Stall{}) }, in.Pause, func() { in.In(Split{Size: 3}, Delay{D: time.Microsecond}) }, in.Resume, func() { in.In() },
			}
			var all []byte
			for i := 0; all == nil; i++ {
				changes[i%len(changes)]()
				if i > 2000 {
					in.In()
					in.Resume()
					out.Out()
				}
				select {
				case all = <-got:
				default:
				}
			}
			require.True(t, bytes.Equal(sent, all))
			require.NoError(t, in.Close())
			require.NoError(t, out.Close())
		})
	}
}
