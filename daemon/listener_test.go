package daemon

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// pipes is a listener whose connections are the other ends of net.Pipe.
type pipes struct {
	accept chan net.Conn
	once   sync.Once
}

func newPipes() *pipes { return &pipes{accept: make(chan net.Conn)} }

func (p *pipes) Accept() (net.Conn, error) {
	c, ok := <-p.accept
	if !ok {
		return nil, net.ErrClosed
	}
	return c, nil
}

func (p *pipes) Close() error   { p.once.Do(func() { close(p.accept) }); return nil }
func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

func (p *pipes) dial() net.Conn {
	near, far := net.Pipe()
	p.accept <- far
	return near
}

func TestWriteEndsAfterNoProgress(t *testing.T) {
	stall := protocol.DefaultLimits().StallTime
	for _, tc := range []struct {
		name  string
		pause time.Duration
		whole bool
	}{
		{"a nanosecond less", stall - time.Nanosecond, true},
		{"a nanosecond more", stall + time.Nanosecond, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				near, far := net.Pipe()
				c := &conn{Conn: far, stall: stall, closed: func() {}}
				text := make([]byte, 3*pieceBytes+1)
				wrote := make(chan error, 1)
				go func() {
					_, err := c.Write(text)
					wrote <- errors.Join(err, c.Close())
				}()
				// A piece at a time, each after the pause: in all it takes longer
				// than the stall time, and it is progress that counts.
				var got int
				buf := make([]byte, pieceBytes)
				for {
					time.Sleep(tc.pause)
					n, err := io.ReadFull(near, buf)
					got += n
					if err != nil {
						break
					}
				}
				err := <-wrote
				if tc.whole {
					require.NoError(t, err)
					require.Equal(t, len(text), got)
				} else {
					require.ErrorIs(t, err, os.ErrDeadlineExceeded)
					require.Zero(t, got)
				}
			})
		})
	}
}

func TestSlowWriteThatMovesGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		near, far := net.Pipe()
		c := &conn{Conn: far, stall: 30 * time.Second, closed: func() {}}
		wrote := make(chan error, 1)
		go func() {
			_, err := c.Write(make([]byte, 10))
			wrote <- err
		}()
		// One byte each 29 s: the one piece has no deadline that outlasts it,
		// but it moves.
		for range 10 {
			time.Sleep(29 * time.Second)
			_, err := near.Read(make([]byte, 1))
			require.NoError(t, err)
		}
		require.NoError(t, <-wrote)
	})
}

func TestConnectionPastTheMostIsClosed(t *testing.T) {
	p := newPipes()
	limits := protocol.DefaultLimits()
	ln := limit(p, limits)
	defer ln.Close()
	accepted := make(chan net.Conn, limits.Connections+1)
	var accepting sync.WaitGroup
	accepting.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	})
	defer accepting.Wait()
	defer ln.Close()
	for range limits.Connections {
		p.dial()
	}
	held := make([]net.Conn, 0, limits.Connections)
	for range limits.Connections {
		held = append(held, <-accepted)
	}
	over := p.dial()
	_, err := over.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)

	require.NoError(t, held[0].Close())
	_ = held[0].Close() // closing twice gives one place back
	p.dial()
	<-accepted
	over = p.dial()
	_, err = over.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}
