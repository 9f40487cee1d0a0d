package relay

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"io"
)

// The opcodes of RFC 6455, section 5.2.
const (
	Continuation byte = 0x0
	Text         byte = 0x1
	Binary       byte = 0x2
	opClose      byte = 0x8
	Ping         byte = 0x9
	Pong         byte = 0xa
)

// frame is the header of a frame (RFC 6455, section 5.2).
type frame struct {
	final  bool
	rsv    byte
	opcode byte
	masked bool
	key    [4]byte
	length uint64
}

// maxControl is the longest payload of a control frame (section 5.5).
const maxControl = 125

// messages parses the frames of one side of a WebSocket until that side ends.
func (c *conversation) messages(br *bufio.Reader, from Side) {
	n := c.upgraded().n
	var opcode byte
	var open *kept // the message that is not finished
	for {
		f, err := readFrame(br)
		if err != nil {
			why := ""
			if open != nil || errors.Is(err, io.ErrUnexpectedEOF) {
				why = "cut within a message"
			}
			c.socketEnded(from, err, why)
			return
		}
		if why := f.wrong(open != nil); why != "" {
			// What follows cannot be told from its payload.
			_, err := io.Copy(io.Discard, br)
			c.socketEnded(from, cmp.Or(err, io.EOF), why)
			return
		}
		into := open
		if f.opcode != Continuation {
			into = c.keep()
		}
		if err := f.payload(br, into); err != nil {
			c.socketEnded(from, err, "cut within a message")
			return
		}
		switch {
		case f.opcode == opClose:
			code, reason := closing(into.bytes())
			c.relay.tell(&Close{Call: n, From: from, Code: code, Reason: reason})
		case f.opcode >= opClose:
			c.relay.tell(&Message{Call: n, From: from, Opcode: f.opcode, Data: into.bytes(), Size: into.size})
		default:
			if f.opcode != Continuation {
				opcode = f.opcode
			}
			if open = into; f.final {
				open = nil
				size := into.size
				c.relay.tell(&Message{Call: n, From: from, Opcode: opcode, Data: into.bytes(), Size: size})
			}
		}
	}
}

// wrong says why no peer of this protocol sends such a frame; "" if it may.
// within is true between the fragments of a message.
func (f frame) wrong(within bool) string {
	control := f.opcode >= opClose
	switch {
	case f.rsv&4 != 0:
		return "a compressed message, which omw.v1 has not"
	case f.rsv != 0:
		return "a reserved bit is set"
	case f.opcode > Binary && f.opcode < opClose, f.opcode > Pong:
		return "an opcode that is none"
	case control && (!f.final || f.length > maxControl):
		return "a control frame that is fragmented or too long"
	case f.opcode == Continuation && !within:
		return "a fragment of nothing"
	case !control && f.opcode != Continuation && within:
		return "a message within a message"
	}
	return ""
}

func readFrame(br *bufio.Reader) (frame, error) {
	var b [8]byte
	if _, err := io.ReadFull(br, b[:1]); err != nil {
		return frame{}, err
	}
	f := frame{final: b[0]&0x80 != 0, rsv: b[0] >> 4 & 7, opcode: b[0] & 0x0f}
	rest := func(n int) ([]byte, error) {
		_, err := io.ReadFull(br, b[:n])
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return b[:n], err
	}
	second, err := rest(1)
	if err != nil {
		return f, err
	}
	f.masked, f.length = second[0]&0x80 != 0, uint64(second[0]&0x7f)
	switch f.length {
	case 126:
		p, err := rest(2)
		if err != nil {
			return f, err
		}
		f.length = uint64(binary.BigEndian.Uint16(p))
	case 127:
		p, err := rest(8)
		if err != nil {
			return f, err
		}
		f.length = binary.BigEndian.Uint64(p)
	}
	if f.masked {
		p, err := rest(4)
		if err != nil {
			return f, err
		}
		copy(f.key[:], p)
	}
	return f, nil
}

// payload copies the frame's payload, unmasked, into w.
func (f frame) payload(br *bufio.Reader, w io.Writer) error {
	buf := make([]byte, min(f.length, 32<<10))
	for at := uint64(0); at < f.length; {
		p := buf[:min(f.length-at, uint64(len(buf)))]
		n, err := br.Read(p)
		p = p[:n]
		if f.masked {
			for i := range p {
				p[i] ^= f.key[(at+uint64(i))%4]
			}
		}
		_, _ = w.Write(p)
		at += uint64(n)
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil && at < f.length {
			return err
		}
	}
	return nil
}

// closing decodes the payload of a close frame.
func closing(p []byte) (code int, reason string) {
	if len(p) < 2 {
		return 0, ""
	}
	return int(binary.BigEndian.Uint16(p)), string(p[2:])
}
