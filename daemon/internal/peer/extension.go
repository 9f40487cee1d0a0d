package peer

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/coder/websocket"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// The Origins of the extensions that the tests play.
const (
	ChromeOrigin  = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"
	FirefoxOrigin = "moz-extension://3f2b6c1e-8a4d-4e0f-9b7a-1c2d3e4f5a6b"
)

// Origin returns the Origin of that browser's extension.
func Origin(b protocol.Browser) string {
	if b == protocol.Firefox {
		return FirefoxOrigin
	}
	return ChromeOrigin
}

// Extension is an extension's end of a link. Its methods end the test when the
// daemon does something else than they say, and are for the test's goroutine.
type Extension struct {
	t    testing.TB
	conn *websocket.Conn
	// Wire is the connection below.
	Wire net.Conn
}

// Connect opens the link of that browser's extension and says nothing yet.
func Connect(t testing.TB, l *Listener, b protocol.Browser, token string) *Extension {
	t.Helper()
	e, resp, err := TryConnect(t, l, b, token)
	require.NoError(t, err, "%+v", resp)
	return e
}

// TryConnect is Connect for who may be turned away, with the response that says so.
func TryConnect(t testing.TB, l *Listener, b protocol.Browser, token string) (*Extension, *http.Response, error) {
	e := &Extension{t: t}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (_ net.Conn, err error) {
		e.Wire, err = l.Dial(ctx)
		return e.Wire, err
	}}}
	defer client.CloseIdleConnections()
	conn, resp, err := websocket.Dial(context.Background(), "ws://127.0.0.1:17373/extension", &websocket.DialOptions{
		HTTPClient:   client,
		HTTPHeader:   http.Header{"Origin": {Origin(b)}},
		Subprotocols: []string{protocol.Version, "omw-token." + token},
	})
	if err != nil {
		return nil, resp, err
	}
	conn.SetReadLimit(-1)
	e.conn = conn
	t.Cleanup(func() { _ = conn.CloseNow() })
	return e, resp, nil
}

// Hello says the hello of that browser with the sessions that it holds, and
// reads the welcome.
func (e *Extension) Hello(b protocol.Browser, sessions ...string) {
	e.t.Helper()
	h := protocol.Hello{Browser: b, BrowserVersion: "156.0", ExtensionVersion: "1.0", Sessions: sessions}
	e.Say(string(h.AppendTo(nil)))
	require.IsType(e.t, &protocol.Welcome{}, e.Next())
}

// Say writes a text message.
func (e *Extension) Say(text string) {
	e.t.Helper()
	require.NoError(e.t, e.conn.Write(context.Background(), websocket.MessageText, []byte(text)))
}

// SayBinary writes a binary message.
func (e *Extension) SayBinary(b []byte) {
	e.t.Helper()
	require.NoError(e.t, e.conn.Write(context.Background(), websocket.MessageBinary, b))
}

// Ping sends a ping of RFC 6455, whose pong nobody waits for.
func (e *Extension) Ping() {
	ctx, cancel := context.WithCancel(context.Background())
	go func() { _ = e.conn.Ping(ctx) }()
	e.t.Cleanup(cancel)
}

// Next reads the next frame.
func (e *Extension) Next() protocol.Frame {
	e.t.Helper()
	_, msg, err := e.conn.Read(context.Background())
	require.NoError(e.t, err)
	f, err := protocol.DecodeFrame(msg)
	require.NoError(e.t, err)
	return f
}

// Command reads the next frame, which must be a command of that action.
func (e *Extension) Command(action string) *protocol.CommandFrame {
	e.t.Helper()
	f := e.Next()
	c, ok := f.(*protocol.CommandFrame)
	require.True(e.t, ok, "a frame of another type: %#v", f)
	require.Equal(e.t, action, c.Action)
	return c
}

// Answer says the result of a command that succeeded.
func (e *Extension) Answer(c *protocol.CommandFrame, data string) {
	e.t.Helper()
	r := protocol.Result{ID: c.ID, OK: true, Data: jsontext.Value(data)}
	e.Say(string(r.AppendTo(nil)))
}

// Fail says the result of a command that failed.
func (e *Extension) Fail(c *protocol.CommandFrame, code protocol.Code, message string) {
	e.t.Helper()
	r := protocol.Result{ID: c.ID, Error: &protocol.Error{Code: code, Message: message}}
	e.Say(string(r.AppendTo(nil)))
}

// Closed reads until the link ends and returns the close frame: 0 if none came.
func (e *Extension) Closed() (websocket.StatusCode, string) {
	e.t.Helper()
	for {
		_, _, err := e.conn.Read(context.Background())
		if err == nil {
			continue
		}
		if closed, ok := errors.AsType[websocket.CloseError](err); ok {
			return closed.Code, closed.Reason
		}
		return 0, strings.TrimSpace(err.Error())
	}
}

// Leave ends the connection without a word.
func (e *Extension) Leave() { _ = e.conn.CloseNow() }

// Tell writes a text message if the link still stands. It is for any goroutine.
func (e *Extension) Tell(text string) error {
	return e.conn.Write(context.Background(), websocket.MessageText, []byte(text))
}

// Hear reads the next frame if the link still stands. It is for the goroutine
// that reads and for no other.
func (e *Extension) Hear() (protocol.Frame, error) {
	_, msg, err := e.conn.Read(context.Background())
	if err != nil {
		return nil, err
	}
	return protocol.DecodeFrame(msg)
}
