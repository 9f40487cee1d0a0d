package sim

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Response is an answer as it came.
type Response struct {
	Status int
	// Proto is the status line's version, such as HTTP/1.1.
	Proto  string
	Header http.Header
	Body   []byte
	// Raw are all bytes of the answer, header and framing included. Body may be
	// a part of it.
	Raw []byte
	// FirstByteAt is when the first byte was read, DoneAt the last; zero if none was.
	FirstByteAt, DoneAt time.Time
	// Closed says that the daemon ended its side with the answer.
	Closed bool
}

// input is what comes on a connection.
type input struct {
	conn net.Conn
	raw  []byte
	used int
	eof  bool
	when time.Time
	// first is when the first byte of this answer came.
	first time.Time
}

// more reads on; io.ErrUnexpectedEOF if nothing more comes.
func (in *input) more() error {
	if in.eof {
		return io.ErrUnexpectedEOF
	}
	if len(in.raw) == cap(in.raw) {
		in.grow(max(4096, 2*cap(in.raw)))
	}
	n, err := in.conn.Read(in.raw[len(in.raw):cap(in.raw)])
	if n > 0 {
		in.raw, in.when = in.raw[:len(in.raw)+n], time.Now()
		if in.first.IsZero() {
			in.first = in.when
		}
		return nil
	}
	if errors.Is(err, io.EOF) {
		in.eof = true
		return io.ErrUnexpectedEOF
	}
	return err
}

func (in *input) grow(size int) {
	if size > cap(in.raw) {
		in.raw = append(make([]byte, 0, size), in.raw...)
	}
}

// response reads one answer, past those that are only preliminary (100 to 199,
// but not 101).
func (in *input) response(noBody bool) (Response, error) {
	if len(in.raw) > 0 {
		in.first = time.Now()
		in.when = in.first
	}
	for {
		resp, err := in.one(noBody)
		resp.Raw, resp.FirstByteAt, resp.DoneAt, resp.Closed = in.raw[:in.used], in.first, in.when, in.eof
		if err != nil {
			resp.Raw = in.raw
			if in.eof && len(in.raw) == 0 {
				err = io.EOF
			}
			return resp, err
		}
		if resp.Status >= 200 || resp.Status == http.StatusSwitchingProtocols {
			return resp, nil
		}
	}
}

func (in *input) one(noBody bool) (Response, error) {
	from := in.used
	var end int
	for {
		if i := bytes.Index(in.raw[from:], []byte("\r\n\r\n")); i >= 0 {
			end = from + i + 4
			break
		}
		if err := in.more(); err != nil {
			return Response{}, err
		}
	}
	in.used = end
	head, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(in.raw[from:end])), nil)
	if err != nil {
		return Response{}, fmt.Errorf("the answer's header is malformed: %w", err)
	}
	_ = head.Body.Close()
	resp := Response{Status: head.StatusCode, Proto: head.Proto, Header: head.Header}
	switch {
	case noBody, resp.Status < 200, resp.Status == http.StatusNoContent, resp.Status == http.StatusNotModified:
	case len(head.TransferEncoding) > 0:
		resp.Body, err = in.chunked()
	case head.Header.Get("Content-Length") != "":
		var n int
		if n, err = strconv.Atoi(head.Header.Get("Content-Length")); err == nil {
			resp.Body, err = in.take(n)
		}
	default:
		resp.Body, err = in.all()
	}
	return resp, err
}

// take returns the next n bytes, fewer at an error.
func (in *input) take(n int) ([]byte, error) {
	in.grow(in.used + n)
	for len(in.raw)-in.used < n {
		if err := in.more(); err != nil {
			return in.raw[in.used:], err
		}
	}
	in.used += n
	return in.raw[in.used-n : in.used : in.used], nil
}

// all returns what comes until the end of the stream.
func (in *input) all() ([]byte, error) {
	for {
		switch err := in.more(); {
		case in.eof:
			body := in.raw[in.used:]
			in.used = len(in.raw)
			return body, nil
		case err != nil:
			return in.raw[in.used:], err
		}
	}
}

// chunked decodes the chunked coding (RFC 9112, section 7.1), and drops trailers.
func (in *input) chunked() ([]byte, error) {
	var body []byte
	for {
		line, err := in.line()
		if err != nil {
			return body, err
		}
		size, _, _ := strings.Cut(line, ";")
		n, err := strconv.ParseUint(strings.TrimSpace(size), 16, 31)
		if err != nil {
			return body, fmt.Errorf("a chunk's size is malformed: %q", line)
		}
		if n == 0 {
			break
		}
		chunk, err := in.take(int(n))
		if body = append(body, chunk...); err != nil {
			return body, err
		}
		if end, err := in.take(2); err != nil || string(end) != "\r\n" {
			return body, errors.Join(errors.New("a chunk has no end"), err)
		}
	}
	for {
		if line, err := in.line(); line == "" || err != nil {
			return body, err
		}
	}
}

func (in *input) line() (string, error) {
	for {
		if i := bytes.Index(in.raw[in.used:], []byte("\r\n")); i >= 0 {
			line := string(in.raw[in.used : in.used+i])
			in.used += i + 2
			return line, nil
		}
		if err := in.more(); err != nil {
			return "", err
		}
	}
}
