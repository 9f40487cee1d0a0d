package sim

import "strconv"

// Header is one header line, written as it is.
type Header struct{ Name, Value string }

// Request is an HTTP/1.1 request that may be wrong in every way. The zero value
// is a GET of / with a Host.
type Request struct {
	// Method is GET if it is empty, Target is / if it is empty.
	Method, Target string
	// Host is the agent's address if nil; NoHost leaves the line out.
	Host   *string
	NoHost bool
	// Headers follow in their order, duplicates too.
	Headers []Header
	Body    []byte
	// Chunked sends the body in chunks of ChunkSize bytes, 4096 if 0, and a
	// Transfer-Encoding; else a Content-Length is sent if there is a body or the
	// method is POST, with ContentLength in place of the body's if not nil.
	Chunked       bool
	ChunkSize     int
	ContentLength *int64
	// NoLength leaves Content-Length out.
	NoLength bool
	// HTTP10 says HTTP/1.0 in the request line.
	HTTP10 bool
}

// Post returns a POST of a JSON body.
func Post(target string, body string) Request {
	return Request{
		Method: "POST", Target: target, Body: []byte(body),
		Headers: []Header{{"Content-Type", "application/json"}},
	}
}

// Get returns a GET.
func Get(target string) Request { return Request{Target: target} }

// With returns r with one more header line.
func (r Request) With(name, value string) Request {
	r.Headers = append(r.Headers[:len(r.Headers):len(r.Headers)], Header{name, value})
	return r
}

// head returns the request line and the header with its blank line.
func (r *Request) head() []byte {
	method, target, version := r.Method, r.Target, " HTTP/1.1\r\n"
	if method == "" {
		method = "GET"
	}
	if target == "" {
		target = "/"
	}
	if r.HTTP10 {
		version = " HTTP/1.0\r\n"
	}
	b := append([]byte(method+" "+target), version...)
	line := func(name, value string) { b = append(b, name+": "+value+"\r\n"...) }
	if r.Host != nil {
		line("Host", *r.Host)
	}
	for _, h := range r.Headers {
		line(h.Name, h.Value)
	}
	switch {
	case r.Chunked:
		line("Transfer-Encoding", "chunked")
	case r.NoLength:
	case r.ContentLength != nil:
		line("Content-Length", strconv.FormatInt(*r.ContentLength, 10))
	case len(r.Body) > 0 || method == "POST":
		line("Content-Length", strconv.Itoa(len(r.Body)))
	}
	return append(b, "\r\n"...)
}

// chunks returns p in the chunked coding (RFC 9112, section 7.1).
func (r *Request) chunks(p []byte) []byte {
	size := r.ChunkSize
	if size <= 0 {
		size = 4096
	}
	var b []byte
	for len(p) > 0 {
		n := min(size, len(p))
		b = append(strconv.AppendInt(b, int64(n), 16), "\r\n"...)
		b = append(append(b, p[:n]...), "\r\n"...)
		p = p[n:]
	}
	return b
}
