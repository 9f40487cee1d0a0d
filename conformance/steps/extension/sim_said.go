package extension

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// wrongWith says what is wrong with a message of an extension, "" if nothing is.
func (s *simulator) wrongWith(h sim.Heard) string {
	if !jsontext.Value(h.Payload).IsValid() {
		return "no JSON"
	}
	frame, err := protocol.DecodeFrame(h.Payload)
	if err != nil {
		return ""
	}
	r, ok := frame.(*protocol.Result)
	switch {
	case !ok:
		return ""
	case r.Bad != nil:
		return "no result that keeps to its schema"
	}
	for _, o := range s.orders {
		if o.id == r.ID {
			return ""
		}
	}
	return "a result that nobody asked for"
}

func (s *simulator) saidWrong(ctx context.Context, what string) error {
	link, err := s.link()
	if err != nil {
		return err
	}
	var said []string
	ok := s.reached(ctx, func() bool {
		said = nil
		for _, h := range link.Heard() {
			if wrong := s.wrongWith(h); h.Opcode == sim.OpText && wrong != "" {
				said = append(said, wrong)
			}
		}
		return len(said) > 0
	})
	if !ok || len(said) != 1 || said[0] != what {
		return s.fail("said", doesWrong, "of its messages these were wrong: %s; want one that is %s: %s", listed(said), what, spoken(link))
	}
	return nil
}

func (s *simulator) endedBy(ctx context.Context, how string) error {
	link, err := s.came()
	if err != nil {
		return err
	}
	var why error
	ended := func() (ok bool) { _, why, ok = link.Ended(); return ok }
	if !s.reached(ctx, ended) {
		return s.fail("not-ended", doesWrong, "connection %d stands", link.N)
	}
	if got := ending(link, why); got != how {
		return s.fail("ended", doesWrong, "connection %d ended %s; want %s", link.N, got, how)
	}
	return nil
}

// ending says how a connection ended.
func ending(link *sim.Socket, why error) string {
	code, _, closed := link.Closing()
	switch {
	case closed && code == 1005:
		return "by a close frame without a code"
	case closed:
		return fmt.Sprintf("by a close frame with %d", code)
	case errors.Is(why, syscall.ECONNRESET):
		return "by a reset"
	case errors.Is(why, io.EOF), errors.Is(why, io.ErrUnexpectedEOF):
		return "without a close frame"
	}
	return "by " + why.Error()
}
