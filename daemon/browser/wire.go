package browser

import (
	"bufio"
	"net"
	"net/http"
)

// wire is the connection below the WebSocket. The library's own Close waits
// for its peer, and its CloseNow waits for a Close under way; to close the wire
// ends both. Its reader hears bytes as they come, where the library waits until
// a whole piece of a large message is there.
type wire struct {
	net.Conn
	heard func()
}

func (w *wire) Read(p []byte) (int, error) {
	n, err := w.Conn.Read(p)
	if n > 0 {
		w.heard()
	}
	return n, err
}

// upgrade is a ResponseWriter that keeps the connection that is hijacked from it.
type upgrade struct {
	http.ResponseWriter
	heard func()
	wire  *wire
}

func (u *upgrade) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(u.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	u.wire = &wire{Conn: conn, heard: u.heard}
	return u.wire, rw, nil
}
