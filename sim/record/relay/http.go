package relay

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/http/httputil"
	"slices"
)

// mostHead is the longest head of a request that is taken for one; a daemon
// refuses far shorter ones.
const mostHead = 1 << 20

// requests parses what the client sends.
func (c *conversation) requests(r io.Reader) {
	br := bufio.NewReader(r)
	for {
		raw, err := head(br)
		if err != nil {
			if len(raw) > 0 {
				c.garbled(raw)
			}
			c.clientEnded(err)
			return
		}
		req, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(raw)))
		if err != nil {
			// What follows belongs to nothing that could be told.
			c.garbled(raw)
			_, err = io.Copy(io.Discard, br)
			c.clientEnded(cmp.Or(err, io.EOF))
			return
		}
		k := c.begin(req)
		_, err = io.Copy(bodyOf{c, k}, body(req, br))
		if err == nil && slices.Contains(req.TransferEncoding, "chunked") {
			_, err = head(br) // the trailer
		}
		c.sent(k, err)
		if err == nil && req.Header.Get("Upgrade") != "" {
			// Whether what follows is a WebSocket is for the daemon to say, and it
			// has said it when something follows.
			_, err = br.Peek(1)
			if c.upgraded() != nil {
				c.messages(br, Client)
				return
			}
		}
		if err != nil {
			c.clientEnded(err)
			return
		}
	}
}

// bodyOf takes the body of a request as it comes.
type bodyOf struct {
	c *conversation
	k *call
}

func (b bodyOf) Write(p []byte) (int, error) {
	b.c.write(b.k, p)
	return len(p), nil
}

// head returns the bytes up to the first empty line, with it.
func head(br *bufio.Reader) ([]byte, error) {
	var raw []byte
	for {
		line, err := br.ReadSlice('\n')
		raw = append(raw, line...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case err != nil:
			return raw, err
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			return raw, nil
		}
		if len(raw) > mostHead {
			return raw, errTooLong
		}
	}
}

var errTooLong = errors.New("a head without an end")

// body returns the body of req, whose head was all that was parsed.
func body(req *http.Request, br *bufio.Reader) io.Reader {
	switch {
	case slices.Contains(req.TransferEncoding, "chunked"):
		return httputil.NewChunkedReader(br)
	case req.ContentLength > 0:
		return &exactly{br, req.ContentLength}
	}
	return http.NoBody
}

// exactly reads n bytes, and io.ErrUnexpectedEOF where they end before.
type exactly struct {
	r io.Reader
	n int64
}

func (e *exactly) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	n, err := e.r.Read(p[:min(int64(len(p)), e.n)])
	if e.n -= int64(n); errors.Is(err, io.EOF) && e.n > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// answers parses what the daemon sends.
func (c *conversation) answers(r io.Reader) {
	br := bufio.NewReader(r)
	for {
		if _, err := br.Peek(1); err != nil {
			c.cut(err)
			return
		}
		k := c.oldest()
		if k == nil {
			// It answers what has no head yet, as with 408: there is no request to
			// tell, and nothing follows.
			_, _ = io.Copy(io.Discard, br)
			return
		}
		method := http.MethodGet
		if k.head != nil {
			method = k.head.Method
		}
		resp, err := http.ReadResponse(br, &http.Request{Method: method})
		if err != nil {
			c.cut(err)
			return
		}
		if resp.StatusCode < 200 && resp.StatusCode != http.StatusSwitchingProtocols {
			continue
		}
		a := &Answer{Status: resp.StatusCode, Header: resp.Header}
		if a.Status == http.StatusSwitchingProtocols {
			c.answered(k, a)
			c.messages(br, Server)
			return
		}
		got := c.keep()
		_, err = io.Copy(got, resp.Body)
		_ = resp.Body.Close()
		a.Body, a.Size, a.Cut = got.bytes(), got.size, err != nil
		if errors.Is(err, errAbandoned) {
			return
		}
		c.answered(k, a)
		if err != nil {
			return
		}
	}
}

// cut is the end of the daemon's side without an answer to what is open.
func (c *conversation) cut(err error) {
	if errors.Is(err, errAbandoned) {
		return
	}
	for k := c.oldest(); k != nil; k = c.oldest() {
		c.mu.Lock()
		left := c.left
		c.mu.Unlock()
		if left {
			return
		}
		c.answered(k, &Answer{Cut: true})
	}
}
