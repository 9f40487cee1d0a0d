package browser_test

import (
	"encoding/binary"
	"io"
	"net"
)

// The opcodes of RFC 6455 §5.2.
const (
	opText  = 1
	opClose = 8
	opPing  = 9
	opPong  = 10
)

// frame returns a frame of a client, masked with zeros.
func frame(opcode byte, final bool, payload []byte) []byte {
	b := []byte{opcode}
	if final {
		b[0] |= 0x80
	}
	switch n := len(payload); {
	case n < 126:
		b = append(b, 0x80|byte(n))
	case n < 1<<16:
		b = binary.BigEndian.AppendUint16(append(b, 0x80|126), uint16(n))
	default:
		b = binary.BigEndian.AppendUint64(append(b, 0x80|127), uint64(n))
	}
	return append(append(b, 0, 0, 0, 0), payload...)
}

// received reads the next frame of a server.
func received(r io.Reader) (opcode byte, final bool, payload []byte, err error) {
	var head [2]byte
	if _, err = io.ReadFull(r, head[:]); err != nil {
		return 0, false, nil, err
	}
	n := uint64(head[1])
	if extra := map[byte]int{126: 2, 127: 8}[head[1]]; extra > 0 {
		long := make([]byte, 8)
		if _, err = io.ReadFull(r, long[8-extra:]); err != nil {
			return 0, false, nil, err
		}
		n = binary.BigEndian.Uint64(long)
	}
	payload = make([]byte, n)
	_, err = io.ReadFull(r, payload)
	return head[0] & 0x0f, head[0]&0x80 != 0, payload, err
}

// discard reads what comes and answers nothing.
func discard(c net.Conn) { _, _ = io.Copy(io.Discard, c) }
