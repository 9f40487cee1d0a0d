package client

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const (
	// proofTime is how long the other end may take to connect and to show who it is.
	proofTime = 5 * time.Second
	// pongSize is the most that is read of somebody who has shown nothing yet.
	pongSize = 16 << 10
)

// Pong is the answer of GET /ping.
type Pong struct {
	// Name is "omw".
	Name string `json:"name"`
	// Version is the daemon's version.
	Version string `json:"version"`
	// Protocol is protocol.Version.
	Protocol string `json:"protocol"`
	// Proven is true if the daemon showed that it knows the Client's token.
	Proven bool `json:"-"`
}

// Ping asks who is there, over a connection of its own and without sending the
// token. The error says not_connected if nobody is, or nobody who speaks omw.v1.
func (c *Client) Ping(ctx context.Context) (Pong, error) {
	_, pong, err := c.hail(ctx, false)
	if err != nil {
		return Pong{}, notSent(err)
	}
	return pong, nil
}

// dialProven returns a connection whose other end has shown that it knows the
// token. It is how the transport gets its connections, so that no request goes
// out over any other (AUTH-20).
func (c *Client) dialProven(ctx context.Context, _, _ string) (net.Conn, error) {
	if *c.token.Load() == "" {
		return nil, protocol.Errorf(protocol.Unauthorized, "the client has no token; config.json of the daemon's config directory holds it")
	}
	nc, pong, err := c.hail(ctx, true)
	if err != nil {
		return nil, err
	}
	if !pong.Proven {
		_ = nc.Close()
		return nil, protocol.Errorf(protocol.Unauthorized,
			"what answers as omw on %s does not know this token, which was therefore not sent; is it a daemon with another config directory?", c.addr)
	}
	return &conn{Conn: nc}, nil
}

// hail connects and asks for a proof. The connection is the caller's if keep is
// true and there is no error, else it is closed.
func (c *Client) hail(ctx context.Context, keep bool) (_ net.Conn, _ Pong, err error) {
	ctx, cancel := context.WithTimeout(ctx, proofTime)
	defer cancel()
	nc, err := c.connect(ctx, "tcp", c.addr)
	if err != nil {
		return nil, Pong{}, c.unreachable(err)
	}
	defer func() {
		if err != nil || !keep {
			_ = nc.Close()
		}
	}()
	// A time in the past ends reads and writes that are under way.
	stop := context.AfterFunc(ctx, func() { _ = nc.SetDeadline(time.Unix(1, 0)) })
	pong, err := c.askProof(ctx, nc)
	if !stop() {
		err = ctx.Err()
	}
	if err == nil {
		return nc, pong, nil
	}
	if _, busy := errors.AsType[*protocol.Error](err); busy || errors.Is(err, context.Canceled) {
		return nil, Pong{}, err
	}
	return nil, Pong{}, withCause(protocol.Errorf(protocol.NotConnected, "what listens on %s is not omw, or is ending: %s; the token was not sent", c.addr, strangeness(err)), err)
}

func strangeness(err error) string {
	switch {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "it does not answer GET /ping"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "it closed the connection"
	}
	// What a stranger wrote may stand in the error, so that it is quoted.
	return fmt.Sprintf("%.200q", err.Error())
}

// unreachable is the error of a connection that could not be made.
func (c *Client) unreachable(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case errors.Is(err, syscall.ECONNREFUSED):
		return protocol.Errorf(protocol.NotConnected, "no daemon listens on %s; start it with: omw serve", c.addr)
	}
	return withCause(protocol.Errorf(protocol.NotConnected, "cannot connect to %s: %s", c.addr, err), err)
}

// askProof sends GET /ping with a nonce and reads the answer, which must be the
// only thing that the other end sends.
func (c *Client) askProof(ctx context.Context, nc net.Conn) (Pong, error) {
	var random [32]byte
	_, _ = rand.Read(random[:]) // it never fails: the process would end
	nonce := base64.RawURLEncoding.EncodeToString(random[:])
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+c.addr+"/ping?nonce="+nonce, http.NoBody)
	if err != nil {
		return Pong{}, err
	}
	req.Header.Set("User-Agent", userAgent)
	if err := req.Write(nc); err != nil {
		return Pong{}, err
	}
	r := bufio.NewReader(io.LimitReader(nc, pongSize))
	res, err := http.ReadResponse(r, req)
	if err != nil {
		return Pong{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return Pong{}, err
	case res.StatusCode == http.StatusServiceUnavailable:
		return Pong{}, protocol.Errorf(protocol.Busy, "the daemon on %s serves as many requests as it takes; ask again in a moment", c.addr)
	case res.StatusCode != http.StatusOK:
		return Pong{}, fmt.Errorf("it answers GET /ping with status %d", res.StatusCode)
	case res.Close || r.Buffered() > 0:
		return Pong{}, errors.New("it ends the connection behind GET /ping")
	}
	return c.readPong(body, nonce)
}

func (c *Client) readPong(body []byte, nonce string) (Pong, error) {
	var answer struct {
		Pong
		Proof string `json:"proof"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return Pong{}, errors.New("its answer to GET /ping is no JSON of omw")
	}
	if answer.Name != "omw" || answer.Protocol != protocol.Version {
		return Pong{}, fmt.Errorf("it does not speak %s", protocol.Version)
	}
	token := *c.token.Load()
	// Who has no token has nothing that could be shown to be known.
	answer.Proven = token != "" && protocol.CheckProof(token, nonce, answer.Proof)
	return answer.Pong, nil
}
