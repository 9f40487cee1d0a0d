package client

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptrace"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const (
	userAgent = "omw-client"
	// tries is on how many connections one request is tried as long as nothing
	// of it was written.
	tries = 3
)

// exchange sends one request with the token and reads the whole answer. Its
// error is one of the wire and says whether the request may have arrived. Body
// may be nil.
func (c *Client) exchange(ctx context.Context, method, path string, body *envelope) (*http.Response, []byte, error) {
	for try := 1; ; try++ {
		res, data, err := c.try(ctx, method, path, body)
		if !errors.Is(err, errStale) {
			return res, data, err
		}
		if try == tries {
			return nil, nil, notSent(err)
		}
		// The daemon closed its end of a kept connection, as a restart does.
		// Nothing was sent, so that another one may be tried.
		c.transport.CloseIdleConnections()
	}
}

// errStale is in the error of a request of which nothing was written because the
// kept connection that it was given was dead.
var errStale = errors.New("the connection was closed meanwhile")

func (c *Client) try(ctx context.Context, method, path string, body *envelope) (*http.Response, []byte, error) {
	var used *conn
	var kept bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) {
			if nc, ok := info.Conn.(*conn); ok {
				used, kept = nc, info.Reused
				used.begin()
			}
		},
	})
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return nil, nil, protocol.Errorf(protocol.Internal, "the request cannot be made: %s", err)
	}
	// RoundTrip and not an http.Client: no redirect, no cookie, no second try.
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		switch {
		case used != nil && !used.revoke():
			return nil, nil, unanswered(cause(ctx, err))
		case used != nil && kept && ctx.Err() == nil && !errors.Is(err, context.DeadlineExceeded):
			return nil, nil, errStale
		}
		return nil, nil, notSent(cause(ctx, err))
	}
	defer res.Body.Close()
	data, err := c.readAll(res)
	if err != nil {
		return nil, nil, err
	}
	return res, data, nil
}

// request makes the HTTP request. It has no GetBody and no idempotency key, so
// that the transport never sends it a second time by itself.
func (c *Client) request(ctx context.Context, method, path string, body *envelope) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+c.addr+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	if body != nil {
		req.Body, req.ContentLength = io.NopCloser(body.open()), body.size()
		req.Header.Set("Content-Type", "application/json")
	}
	req.GetBody = nil
	req.Header.Set("Authorization", "Bearer "+*c.token.Load())
	req.Header.Set("User-Agent", userAgent)
	return req, nil
}

// readAll reads the answer. It holds at most what the daemon may buffer, in the
// longest way to write it.
func (c *Client) readAll(res *http.Response) ([]byte, error) {
	most := 2 * c.limits.Buffered
	var b bytes.Buffer
	if res.ContentLength > 0 && res.ContentLength <= most {
		b.Grow(int(res.ContentLength) + bytes.MinRead)
	}
	if _, err := b.ReadFrom(io.LimitReader(res.Body, most+1)); err != nil {
		return nil, unanswered(cause(res.Request.Context(), err))
	}
	if int64(b.Len()) > most {
		return nil, unknown("the answer is larger than %d bytes", most)
	}
	return b.Bytes(), nil
}

// cause is err, or the end of the context where that is what broke the request.
func cause(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}
