// Package memnet is a network in memory: listeners, dialled connections with
// bounded buffers, deadlines in both directions, half-close and reset, and
// faults that wrap one direction of any net.Conn.
//
// It blocks in sync.Cond.Wait and on channels alone, which testing/synctest
// counts as durably blocked, so that a whole daemon and its peers run in one
// bubble where time passes only when everybody waits. Outside a bubble it is
// an ordinary, race-free network that needs no port of the machine.
//
// The errors are those of the net package: a *net.OpError around net.ErrClosed,
// os.ErrDeadlineExceeded, ECONNREFUSED, ECONNRESET or EPIPE, and a bare io.EOF.
package memnet
