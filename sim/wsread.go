package sim

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// messageLimit is the largest message that a Daemon reads, in bytes: above what
// an extension may send, which is what the suite looks at.
const messageLimit = 64 << 20

var errBroken = errors.New("the extension breaks RFC 6455")

// readMessage reads the next text or binary message, and hands the control
// frames before and within it to control.
func readMessage(r *bufio.Reader, control func(Heard)) (Heard, error) {
	var h Heard
	for begun := false; ; {
		f, err := readFrame(r)
		if err != nil {
			return h, err
		}
		switch {
		case f.Opcode >= OpClose:
			control(Heard{At: time.Now(), Opcode: f.Opcode, Payload: f.Payload, Unmasked: f.Unmasked})
			continue
		case begun == (f.Opcode != OpContinuation):
			return h, fmt.Errorf("%w: a frame of opcode %d where none may stand", errBroken, f.Opcode)
		case len(h.Payload)+len(f.Payload) > messageLimit:
			return h, fmt.Errorf("a message of more than %d bytes", messageLimit)
		case !begun:
			begun, h.Opcode = true, f.Opcode
		}
		h.Payload, h.Unmasked = append(h.Payload, f.Payload...), h.Unmasked || f.Unmasked
		if !f.NotFinal {
			h.At = time.Now()
			return h, nil
		}
	}
}

// readFrame reads one frame and takes its mask off (RFC 6455, section 5.2).
func readFrame(r *bufio.Reader) (RawFrame, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return RawFrame{}, err
	}
	f := RawFrame{
		NotFinal: head[0]&0x80 == 0, RSV: head[0] >> 4 & 7, Opcode: head[0] & 0x0f, Unmasked: head[1]&0x80 == 0,
	}
	n := uint64(head[1] & 0x7f)
	switch wide := [8]byte{}; n {
	case 126:
		if _, err := io.ReadFull(r, wide[:2]); err != nil {
			return f, err
		}
		n = uint64(binary.BigEndian.Uint16(wide[:2]))
	case 127:
		if _, err := io.ReadFull(r, wide[:]); err != nil {
			return f, err
		}
		n = binary.BigEndian.Uint64(wide[:])
	}
	if f.RSV != 0 || n > messageLimit {
		return f, fmt.Errorf("%w: reserved bits %d, %d bytes", errBroken, f.RSV, n)
	}
	var key [8]byte
	if !f.Unmasked {
		if _, err := io.ReadFull(r, key[:4]); err != nil {
			return f, err
		}
		copy(key[4:], key[:4])
	}
	f.Payload = make([]byte, n)
	if _, err := io.ReadFull(r, f.Payload); err != nil {
		return f, err
	}
	xor(f.Payload, key)
	return f, nil
}

// serverFrame is a frame of a message that is whole in it, as a server sends it.
func serverFrame(opcode byte, payload []byte) []byte {
	return RawFrame{Opcode: opcode, Unmasked: true, Payload: payload}.AppendTo(nil)
}
