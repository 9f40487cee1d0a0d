package sim

import (
	"crypto/rand"
	"encoding/binary"
)

// The opcodes of RFC 6455, section 5.2.
const (
	OpContinuation = 0x0
	OpText         = 0x1
	OpBinary       = 0x2
	OpClose        = 0x8
	OpPing         = 0x9
	OpPong         = 0xa
)

// RawFrame is one WebSocket frame (RFC 6455, section 5.2) that may be wrong in
// every way. Of the zero value all but the mask is as a good text frame has it.
type RawFrame struct {
	// NotFinal clears FIN: more fragments follow.
	NotFinal bool
	// RSV holds the three reserved bits: 4, 2 and 1 for RSV1 to RSV3.
	RSV    byte
	Opcode byte
	// Unmasked leaves out the mask, which a client must not (section 5.1).
	Unmasked bool
	Payload  []byte
	// Length is said in place of the payload's length if it is not nil.
	Length *uint64
}

// AppendTo appends the frame, masked with a random key unless Unmasked.
func (f RawFrame) AppendTo(dst []byte) []byte {
	first := f.Opcode&0x0f | f.RSV<<4
	if !f.NotFinal {
		first |= 0x80
	}
	var mask byte = 0x80
	if f.Unmasked {
		mask = 0
	}
	n := uint64(len(f.Payload))
	if f.Length != nil {
		n = *f.Length
	}
	switch {
	case n < 126:
		dst = append(dst, first, mask|byte(n))
	case n <= 0xffff:
		dst = binary.BigEndian.AppendUint16(append(dst, first, mask|126), uint16(n))
	default:
		dst = binary.BigEndian.AppendUint64(append(dst, first, mask|127), n)
	}
	if f.Unmasked {
		return append(dst, f.Payload...)
	}
	var key [8]byte
	_, _ = rand.Read(key[:4]) // It never fails (crypto/rand).
	copy(key[4:], key[:4])
	dst = append(dst, key[:4]...)
	at := len(dst)
	dst = append(dst, f.Payload...)
	xor(dst[at:], key)
	return dst
}

// xor masks p with key, eight bytes at a time.
func xor(p []byte, key [8]byte) {
	k := binary.LittleEndian.Uint64(key[:])
	for len(p) >= 8 {
		binary.LittleEndian.PutUint64(p, binary.LittleEndian.Uint64(p)^k)
		p = p[8:]
	}
	for i := range p {
		p[i] ^= key[i]
	}
}

// closePayload is the body of a close frame; code 0 is none (section 5.5.1).
func closePayload(code int, reason string) []byte {
	if code == 0 {
		return nil
	}
	return append(binary.BigEndian.AppendUint16(nil, uint16(code)), reason...)
}

// fragment is how many bytes of payload one frame of a message carries: with
// its header it fills 64 KiB, so that a pong never waits long behind it.
const fragment = 64<<10 - 14
