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

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

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
	listener, limits := peer.Listen(), protocol.DefaultLimits()
	ln := limit(listener, limits)
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
	dial := func() net.Conn {
		c, err := listener.Dial(t.Context())
		require.NoError(t, err)
		return c
	}
	held := make([]net.Conn, 0, limits.Connections)
	for range limits.Connections {
		dial()
		held = append(held, <-accepted)
	}
	_, err := dial().Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)

	require.NoError(t, held[0].Close())
	_ = held[0].Close() // closing twice gives one place back
	dial()
	<-accepted
	_, err = dial().Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
}

// A connection that cannot be half-closed is closed whole by who asked for it.
func TestHalfClose(t *testing.T) {
	near, far := net.Pipe()
	require.NoError(t, (&conn{Conn: near}).CloseWrite())
	require.NoError(t, near.Close())
	require.NoError(t, far.Close())

	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	require.NoError(t, err)
	defer tcp.Close()
	client, err := net.Dial("tcp4", tcp.Addr().String())
	require.NoError(t, err)
	defer client.Close()
	server, err := tcp.Accept()
	require.NoError(t, err)
	defer server.Close()
	require.NoError(t, (&conn{Conn: server}).CloseWrite())
	_, err = client.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF)
	_, err = client.Write([]byte("x"))
	require.NoError(t, err)
	_, err = io.ReadFull(server, make([]byte, 1))
	require.NoError(t, err, "the other half is open")
}
