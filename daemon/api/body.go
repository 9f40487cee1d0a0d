package api

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// body reads a request's whole body, of at most so many bytes in at most so
// much time (CMD-01, LIMIT-01).
func (v *visit) body(most int64, within time.Duration) ([]byte, *protocol.Error) {
	tooLarge := protocol.Errorf(protocol.TooLarge, "the body is larger than %d bytes, which is the most", most)
	control := http.NewResponseController(v.w)
	if err := control.SetReadDeadline(time.Now().Add(within)); err != nil {
		return nil, protocol.AsError(err)
	}
	if v.r.ContentLength > most {
		v.w.Header().Set("Connection", "close") // so that the answer does not wait for it
		return nil, tooLarge
	}
	var buf []byte
	if v.r.ContentLength > 0 {
		buf = make([]byte, 0, v.r.ContentLength+1)
	}
	buf, err := readAll(http.MaxBytesReader(v.w, v.r.Body, most), buf)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, tooLarge
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return nil, protocol.Errorf(protocol.RequestTimeout, "the body did not arrive within %s", within)
	}
	if err != nil {
		return nil, protocol.Errorf(protocol.BadRequest, "the body is cut short or breaks HTTP")
	}
	if err := control.SetReadDeadline(time.Time{}); err != nil {
		return nil, protocol.AsError(err)
	}
	return buf, nil
}

// emptied reads the body of a request that needs none, within the limits of
// any, and reports whether it kept them; else the refusal has been written.
func (h *Handler) emptied(v *visit) bool {
	if _, err := v.body(h.limits.Body, h.limits.BodyTime); err != nil {
		refuse(v.w, err)
		return false
	}
	return true
}

// readAll is io.ReadAll into a buffer that has the right size from the start.
func readAll(r io.Reader, buf []byte) ([]byte, error) {
	if cap(buf) == 0 {
		return io.ReadAll(r)
	}
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if err == io.EOF {
			return buf, nil
		}
		if err != nil {
			return buf, err
		}
		if len(buf) == cap(buf) {
			buf = append(buf, 0)[:len(buf)]
		}
	}
}
