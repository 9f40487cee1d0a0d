package memnet

import (
	"context"
	"net"
	"sync"
)

// backlog is how many connections wait to be accepted (SOMAXCONN of Linux).
const backlog = 4096

type listener struct {
	addr    *net.TCPAddr
	waiting chan *Conn
	done    chan struct{}
	once    sync.Once
	forget  func()
}

func newListener(addr *net.TCPAddr, forget func()) *listener {
	return &listener{addr: addr, waiting: make(chan *Conn, backlog), done: make(chan struct{}), forget: forget}
}

func (l *listener) Addr() net.Addr { return l.addr }

func (l *listener) Accept() (net.Conn, error) {
	select {
	case <-l.done:
		return nil, l.closed("accept")
	default:
	}
	select {
	case c := <-l.waiting:
		return c, nil
	case <-l.done:
		return nil, l.closed("accept")
	}
}

func (l *listener) Close() error {
	err := l.closed("close")
	l.once.Do(func() {
		l.forget()
		close(l.done)
		l.turnAway()
		err = nil
	})
	return err
}

// offer puts c into the backlog.
func (l *listener) offer(ctx context.Context, c *Conn) error {
	select {
	case l.waiting <- c:
	case <-l.done:
		return errRefused()
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case <-l.done:
		// Close may have emptied the backlog before c stood in it.
		l.turnAway()
	default:
	}
	return nil
}

func (l *listener) turnAway() {
	for {
		select {
		case c := <-l.waiting:
			_ = c.Reset()
		default:
			return
		}
	}
}

func (l *listener) closed(op string) error {
	return &net.OpError{Op: op, Net: "tcp", Addr: l.addr, Err: net.ErrClosed}
}
