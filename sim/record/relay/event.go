package relay

import "net/http"

// Side is an end of a connection.
type Side string

// Client is the end that connected: an agent or an extension. Server is the
// daemon.
const (
	Client Side = "client"
	Server Side = "server"
)

// Ending is how a direction of a connection came to its end.
type Ending string

// Fin is an orderly end, Reset one by RST or any other error.
const (
	Fin   Ending = "fin"
	Reset Ending = "rst"
)

// Event is something that went by: *Request, *Answer, *Abandoned, *Garbled,
// *Message, *Close, *End or *Unreachable. Its bytes belong to whoever is told.
type Event interface{ event() }

// Request is an HTTP request, told when its last byte has come, when the daemon
// answers before that, or when the client ends before that.
type Request struct {
	// Call numbers the requests of a Relay, from 1, in the order of their first
	// bytes.
	Call   int
	Method string
	// Target is the request target as it stands in the request line.
	Target string
	// Header holds Host, too.
	Header http.Header
	// Chunked says that the body came in chunks, without a Content-Length.
	Chunked bool
	// Body is the payload without its framing.
	Body []byte
	// Size is how long the body is; Body is shorter if it passed Config.Keep.
	Size int64
	// Cut says that the body had not ended when the request was told.
	Cut bool
}

// Answer is an HTTP answer, told when its last byte has come or the connection
// has ended. Preliminary ones (1xx, but for 101) are not told.
type Answer struct {
	// Call is the Request's.
	Call   int
	Status int
	Header http.Header
	Body   []byte
	Size   int64
	// Cut says that the daemon's side ended before the answer did.
	Cut bool
}

// Abandoned says that the client ended its side before it had the whole answer.
type Abandoned struct {
	Call int
	How  Ending
}

// Garbled are bytes of a client that are no HTTP request.
type Garbled struct {
	Call  int
	Bytes []byte
	Size  int64
}

// Message is a WebSocket message after defragmentation, or a control frame that
// is no close.
type Message struct {
	// Call is the upgrade's.
	Call int
	From Side
	// Opcode is that of RFC 6455, section 5.2: text, binary, ping or pong.
	Opcode byte
	Data   []byte
	Size   int64
}

// Close is a close frame (RFC 6455, section 5.5.1). Code is 0 if it holds none.
type Close struct {
	Call   int
	From   Side
	Code   int
	Reason string
}

// End says that one side of a WebSocket's connection has ended: the first one
// alone is told.
type End struct {
	Call int
	From Side
	How  Ending
	// Why is set if the bytes before the end were no WebSocket frames, or had
	// been cut within a message.
	Why string
}

// Unreachable says that the daemon did not take a client's connection.
type Unreachable struct{ Err error }

func (*Request) event()     {}
func (*Answer) event()      {}
func (*Abandoned) event()   {}
func (*Garbled) event()     {}
func (*Message) event()     {}
func (*Close) event()       {}
func (*End) event()         {}
func (*Unreachable) event() {}
