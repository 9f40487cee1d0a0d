package target

import (
	"context"
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"sync/atomic"
)

// firstPort and lastPort bound the ports that daemons are given: below those
// that the systems hand out to clients, so that no connection takes one between
// its choice and its use.
const (
	firstPort = 20000
	lastPort  = 30000
)

// ports counts the ports that this process has given out, from a place of its
// own, so that daemons that are started together get different ones.
var ports = func() *atomic.Int64 {
	n := &atomic.Int64{}
	n.Store(rand.Int64N(lastPort - firstPort))
	return n
}()

// freePort returns an address of 127.0.0.1 whose port is free.
func freePort(ctx context.Context) (string, error) {
	for range 100 {
		port := firstPort + ports.Add(1)%(lastPort-firstPort)
		addr := net.JoinHostPort("127.0.0.1", strconv.FormatInt(port, 10))
		ln, err := TCP{}.Listen(ctx, addr)
		if err == nil {
			return addr, ln.Close()
		}
		if ctx.Err() != nil {
			break
		}
	}
	return "", errors.New("find a free port: none of 100 was")
}
