// Package sim holds actors that speak the wire of omw.v1 over any net.Conn:
// Browser, the extension as Chrome or Firefox runs it, and Agent, which builds
// its HTTP requests byte by byte, so that everything can be wrong. Faults make
// a Browser as awkward as a real one.
//
// Actors never assert. They record what reached them and what they did, and a
// test or the suite judges that. They reach the network through a DialFunc
// alone and the clock through package time alone, so that they run inside a
// bubble of testing/synctest; every goroutine has an actor that waits for it
// in its Close.
package sim

import (
	"context"
	"net"
)

// DialFunc connects to addr, as the method DialContext of net.Dialer and of
// memnet.Network does.
type DialFunc func(ctx context.Context, network, addr string) (net.Conn, error)
