// Package driver is the contract by which the suite drives a client under test:
// JSON lines on its standard input and output, several commands in flight,
// answers in any order (KIT-11).
//
//	> {"cmd":"start","version":1,"url":"http://127.0.0.1:PORT","token":"…"}
//	< {"cmd":"started","name":"…","version":"…"}
//	> {"cmd":"do","n":1,"action":"click","args":{…},"session":"shop","timeout_ms":2000}
//	< {"cmd":"done","n":1,"outcome":"ok"}
//	> {"cmd":"stop"}
//
// A Driver is the suite's end of it; Serve is the other one, for clients that
// are written in Go. What the client sends to the daemon is what is judged: the
// contract only asks it to do what its users would have it do, and to say what
// it would tell them.
package driver

import "encoding/json"

// Version is the version of the contract.
const Version = 1

// Outcome is what the client would tell its user of a command.
type Outcome string

// The outcomes: it was done, it was not, or nobody knows.
const (
	OK      Outcome = "ok"
	Error   Outcome = "error"
	Unknown Outcome = "unknown"
)

// Start is the first thing that a client is told: where the daemon is.
type Start struct {
	Cmd     string `json:"cmd"`
	Version int    `json:"version"`
	// URL is the daemon's address, as http://127.0.0.1:17373.
	URL   string `json:"url"`
	Token string `json:"token"`
}

// Started is its answer.
type Started struct {
	Cmd string `json:"cmd"`
	// Name and Version are the client's own.
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Do asks for one command.
type Do struct {
	Cmd string `json:"cmd"`
	// N tells the commands apart. It is no id of the wire.
	N      int             `json:"n"`
	Action string          `json:"action"`
	Args   json.RawMessage `json:"args,omitempty"`
	// Session and TimeoutMS are left out where the client's defaults are meant.
	Session   string `json:"session,omitempty"`
	TimeoutMS int    `json:"timeout_ms,omitempty"`
}

// Done says what came of it.
type Done struct {
	Cmd     string  `json:"cmd"`
	N       int     `json:"n"`
	Outcome Outcome `json:"outcome"`
	// Code is the error's code, where the client knows one.
	Code string `json:"code,omitempty"`
}

// Stop is the last thing that a client is told. It then ends.
type Stop struct {
	Cmd string `json:"cmd"`
}

const (
	cmdStart   = "start"
	cmdStarted = "started"
	cmdDo      = "do"
	cmdDone    = "done"
	cmdStop    = "stop"
)
