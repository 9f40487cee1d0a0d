// Package protocol is the wire of omw.v1: the envelopes that agents send over
// HTTP, the frames that the extension exchanges over its WebSocket, the closed
// list of error codes, the limits and the actions with their JSON Schemas.
//
// It is the ground floor: it imports nothing of this module and does no I/O.
// Everything that comes from an agent is decoded strictly, and a refusal says
// what is wrong and where (CMD-14). Everything that comes from a page passes
// through byte for byte, lone surrogates included, because pages hold them.
package protocol

//go:generate go run ./schema/gen

// Version is the name of the protocol. The extension offers it as a WebSocket
// subprotocol and the daemon selects it byte for byte (AUTH-04).
const Version = "omw.v1"

// TokenProtocol is what stands before the token in the extension's second
// WebSocket subprotocol, omw-token.TOKEN (AUTH-04).
const TokenProtocol = "omw-token."

// DefaultAddr is where the daemon listens unless it is told another port
// (AUTH-11).
const DefaultAddr = "127.0.0.1:17373"
