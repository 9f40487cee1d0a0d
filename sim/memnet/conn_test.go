package memnet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// halfCloser is what every connection of this package and of TCP is.
type halfCloser interface {
	net.Conn
	CloseWrite() error
}

// kinds are the ways to make a connection; all behave alike.
var kinds = map[string]func(t *testing.T) (halfCloser, halfCloser){
	"pipe": func(*testing.T) (halfCloser, halfCloser) {
		a, b := Pipe(0)
		return a, b
	},
	"network": func(t *testing.T) (halfCloser, halfCloser) {
		a, b := dialled(t)
		return a, b
	},
	"faulty without faults": func(*testing.T) (halfCloser, halfCloser) {
		a, b := Pipe(0)
		return Wrap(a), Wrap(b)
	},
	"faulty healed": func(*testing.T) (halfCloser, halfCloser) {
		a, b := Pipe(0)
		x, y := Wrap(a), Wrap(b)
		x.In(Stall{})
		x.Out(Stall{})
		x.In()
		x.Out()
		return x, y
	},
}

func dialled(t *testing.T) (near, far *Conn) {
	n := New()
	ln := n.Listen()
	defer ln.Close()
	a, err := n.DialContext(context.Background(), "tcp", "127.0.0.1:17373")
	require.NoError(t, err)
	b, err := ln.Accept()
	require.NoError(t, err)
	return a.(*Conn), b.(*Conn)
}

func forEachKind(t *testing.T, test func(t *testing.T, a, b halfCloser)) {
	for name, connect := range kinds {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a, b := connect(t)
				defer a.Close()
				defer b.Close()
				test(t, a, b)
			})
		})
	}
}

func TestBytesArriveInOrder(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		sent := bytes.Repeat([]byte("0123456789abcdef"), 40_000) // ten times the buffer
		go func() {
			_, _ = a.Write(sent)
			_ = a.CloseWrite()
		}()
		got, err := io.ReadAll(b)
		require.NoError(t, err)
		require.True(t, bytes.Equal(sent, got))
	})
}

func TestHalfCloseEndsOneDirection(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		write(t, a, "last")
		require.NoError(t, a.CloseWrite())
		_, err := a.Write([]byte("more"))
		require.ErrorIs(t, err, syscall.EPIPE)
		require.Equal(t, "last", read(t, b, 9))
		_, err = b.Read(make([]byte, 1))
		require.Equal(t, io.EOF, err)
		write(t, b, "answer")
		require.Equal(t, "answer", read(t, a, 9))
	})
}

func TestCloseLetsTheRestBeRead(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		write(t, a, "rest")
		require.NoError(t, a.Close())
		require.Equal(t, "rest", read(t, b, 9))
		_, err := b.Read(make([]byte, 1))
		require.Equal(t, io.EOF, err)
		_, err = b.Write([]byte("x"))
		require.ErrorIs(t, err, syscall.EPIPE)
		_, err = a.Read(make([]byte, 1))
		require.ErrorIs(t, err, net.ErrClosed)
		_, err = a.Write([]byte("x"))
		require.ErrorIs(t, err, net.ErrClosed)
		require.ErrorIs(t, a.SetDeadline(time.Now()), net.ErrClosed)
		require.ErrorIs(t, a.Close(), net.ErrClosed)
	})
}

func TestCloseEndsWhatWaits(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		errs := make(chan error, 2)
		go func() {
			_, err := a.Read(make([]byte, 1))
			errs <- err
		}()
		go func() {
			_, err := a.Write(make([]byte, BufferSize+1))
			errs <- err
		}()
		synctest.Wait()
		require.NoError(t, a.Close())
		require.ErrorIs(t, <-errs, net.ErrClosed)
		require.ErrorIs(t, <-errs, net.ErrClosed)
	})
}

func TestPeersCloseEndsAWaitingWrite(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		errs := make(chan error, 1)
		go func() {
			_, err := a.Write(make([]byte, BufferSize+1))
			errs <- err
		}()
		synctest.Wait()
		require.NoError(t, b.Close())
		require.ErrorIs(t, <-errs, syscall.EPIPE)
	})
}

func TestReset(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		write(t, a, "lost")
		require.NoError(t, ResetConn(a))
		_, err := b.Read(make([]byte, 9))
		require.ErrorIs(t, err, syscall.ECONNRESET)
		_, err = b.Write([]byte("x"))
		require.ErrorIs(t, err, syscall.ECONNRESET)
		_, err = a.Read(make([]byte, 1))
		require.ErrorIs(t, err, net.ErrClosed)
	})
}

func TestReadDeadlineIsExact(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		began := time.Now()
		require.NoError(t, b.SetReadDeadline(began.Add(45*time.Second)))
		_, err := b.Read(make([]byte, 1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Equal(t, 45*time.Second, time.Since(began))
		timeout, ok := errors.AsType[net.Error](err)
		require.True(t, ok && timeout.Timeout())

		write(t, a, "x")
		_, err = b.Read(make([]byte, 1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded, "a deadline that has passed holds for bytes that are there, too")
		require.NoError(t, b.SetReadDeadline(time.Time{}))
		require.Equal(t, "x", read(t, b, 1))
	})
}

func TestADeadlineCanMoveUnderAWaitingRead(t *testing.T) {
	forEachKind(t, func(t *testing.T, _, b halfCloser) {
		began := time.Now()
		require.NoError(t, b.SetReadDeadline(began.Add(time.Minute)))
		errs := make(chan error, 1)
		go func() {
			_, err := b.Read(make([]byte, 1))
			errs <- err
		}()
		synctest.Wait()
		require.NoError(t, b.SetReadDeadline(began.Add(time.Second)))
		require.ErrorIs(t, <-errs, os.ErrDeadlineExceeded)
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestWriteDeadlineSaysHowMuchWent(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		began := time.Now()
		require.NoError(t, a.SetWriteDeadline(began.Add(30*time.Second)))
		n, err := a.Write(make([]byte, BufferSize+1))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Equal(t, BufferSize, n)
		require.Equal(t, 30*time.Second, time.Since(began))
		require.Len(t, read(t, b, 2*BufferSize), BufferSize)
	})
}

// A Write of at most the buffer's size stands in it whole or not at all, so
// that a stall is timed from the last piece that went.
func TestAWriteThatFitsIsWhole(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		write(t, a, string(make([]byte, 1)))
		require.NoError(t, a.SetWriteDeadline(time.Now().Add(time.Second)))
		n, err := a.Write(make([]byte, BufferSize))
		require.ErrorIs(t, err, os.ErrDeadlineExceeded)
		require.Zero(t, n)
		require.NoError(t, a.SetWriteDeadline(time.Time{}))
		wrote := make(chan struct{})
		go func() {
			_, _ = a.Write(bytes.Repeat([]byte("y"), BufferSize))
			close(wrote)
		}()
		synctest.Wait()
		require.Equal(t, "\x00", read(t, b, 2), "nothing of the second write is there before all of it fits")
		<-wrote
		require.Len(t, read(t, b, 2*BufferSize), BufferSize)
	})
}

func TestWritersDoNotMix(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, b halfCloser) {
		const writers, size = 8, BufferSize + 1000
		var wg sync.WaitGroup
		for i := range writers {
			wg.Go(func() { _, _ = a.Write(bytes.Repeat([]byte{byte(i)}, size)) })
		}
		go func() {
			wg.Wait()
			_ = a.CloseWrite()
		}()
		got, err := io.ReadAll(b)
		require.NoError(t, err)
		require.Len(t, got, writers*size)
		for at := 0; at < len(got); at += size {
			require.Equal(t, size, bytes.Count(got[at:at+size], got[at:at+1]))
		}
	})
}

func TestAnEmptyReadReturnsAtOnce(t *testing.T) {
	forEachKind(t, func(t *testing.T, a, _ halfCloser) {
		n, err := a.Read(nil)
		require.NoError(t, err)
		require.Zero(t, n)
		n, err = a.Write(nil)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

func TestAddresses(t *testing.T) {
	a, b := dialled(t)
	require.Equal(t, "127.0.0.1:17373", a.RemoteAddr().String())
	require.Equal(t, "127.0.0.1:17373", b.LocalAddr().String())
	require.Equal(t, a.LocalAddr(), b.RemoteAddr())
	require.IsType(t, &net.TCPAddr{}, a.LocalAddr())
	require.NotZero(t, a.LocalAddr().(*net.TCPAddr).Port)
}

func TestUnread(t *testing.T) {
	a, b := Pipe(0)
	write(t, a, "12345")
	require.Equal(t, 5, b.Unread())
	read(t, b, 3)
	require.Equal(t, 2, b.Unread())
	require.NoError(t, a.Reset())
	require.Zero(t, b.Unread(), "a reset loses what was not read")
}

func write(t *testing.T, c net.Conn, s string) {
	t.Helper()
	n, err := c.Write([]byte(s))
	require.NoError(t, err)
	require.Equal(t, len(s), n)
}

// read reads what is there now, at most n bytes.
func read(t *testing.T, c net.Conn, n int) string {
	t.Helper()
	p := make([]byte, n)
	n, err := c.Read(p)
	require.NoError(t, err)
	return string(p[:n])
}
