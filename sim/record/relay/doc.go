// Package relay passes connections through to a daemon, byte for byte in both
// directions, and tells every HTTP message and every WebSocket message that goes
// by (RFC 9112, RFC 6455).
//
// It reads no more than it can pass on, so that backpressure reaches the other
// end; half-closes and resets are passed on as what they are. A message is told
// before its last byte goes on: whatever it causes is told after it.
package relay
