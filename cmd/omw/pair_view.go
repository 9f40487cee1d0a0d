package main

import (
	"fmt"
	"io"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// pairingJSON writes a fact a line.
type pairingJSON struct{ w io.Writer }

func (j *pairingJSON) code(p client.Pairing) {
	_ = writeJSON(j.w, struct {
		Event     string `json:"event"`
		Code      string `json:"code"`
		ExpiresMS int64  `json:"expires_ms"`
	}{"code", p.Code, p.ExpiresMS})
}

func (j *pairingJSON) attempt(a client.PairingAttempt) {
	_ = writeJSON(j.w, struct {
		Event   string `json:"event"`
		Origin  string `json:"origin"`
		Outcome string `json:"outcome"`
	}{"attempt", a.Origin, a.Outcome})
}

func (j *pairingJSON) left(time.Duration, int) {}

func (j *pairingJSON) end(e pairingEnd) {
	_ = writeJSON(j.w, map[string]pairingEnd{"event": e})
}

// pairingText is for people. The countdown is for those at a terminal.
type pairingText struct {
	w        io.Writer
	terminal bool
}

// clearLine takes the countdown away before something else is written.
const clearLine = "\r\x1b[K"

func (t *pairingText) print(format string, a ...any) {
	if t.terminal {
		format = clearLine + format
	}
	_, _ = fmt.Fprintf(t.w, format, a...)
}

func (t *pairingText) code(p client.Pairing) {
	valid := time.Duration(p.ExpiresMS) * time.Millisecond
	t.print("Pairing code: %s\nType it into the setup page of the extension. It is valid for %s.\n", p.Code, valid.Round(time.Second))
}

func (t *pairingText) attempt(a client.PairingAttempt) {
	what := a.Outcome
	switch a.Outcome {
	case "wrong":
		what = "sent a wrong code"
	case "too_soon":
		what = "tried again too soon"
	case "redeemed":
		what = "redeemed the code"
	}
	t.print("%s %s\n", clean(a.Origin), clean(what))
}

func (t *pairingText) left(d time.Duration, attempts int) {
	if t.terminal {
		s := int(d.Round(time.Second).Seconds())
		t.print("%d:%02d left, %d attempts ", s/60, s%60, attempts)
	}
}

func (t *pairingText) end(e pairingEnd) {
	switch e {
	case pairingRedeemed:
		t.print("Paired.\n")
	case pairingExpired:
		t.print("The code has expired. Run omw pair again.\n")
	case pairingSpent:
		t.print("The code is void: every attempt was wrong. Run omw pair again.\n")
	case pairingVoided:
		t.print("The code is void: another one was made, or the daemon started anew.\n")
	case pairingLeft:
		t.print("The code stays valid until it expires.\n")
	}
}
