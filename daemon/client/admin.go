package client

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// adminTime is how long the daemon may take for its own affairs, for which it
// asks no browser.
const adminTime = 10 * time.Second

// DaemonStatus is what the daemon says of itself.
type DaemonStatus struct {
	Version  string `json:"version"`
	Protocol string `json:"protocol"`
	// Addr is where it listens.
	Addr string `json:"addr"`
	// UptimeMS is how long it runs, in milliseconds.
	UptimeMS int64 `json:"uptime_ms"`
	// Requests is how many HTTP requests are being read or served.
	Requests int `json:"requests"`
	// Browsers has an entry for each browser, connected or not.
	Browsers map[protocol.Browser]BrowserStatus `json:"browsers"`
	// Sessions says which browser each session is bound to.
	Sessions map[string]protocol.Browser `json:"sessions"`
	Pairing  PairingStatus               `json:"pairing"`
}

// BrowserStatus is what the daemon knows of one browser. All but Connected and
// Sessions is empty if it is not connected.
type BrowserStatus struct {
	Connected        bool   `json:"connected"`
	BrowserVersion   string `json:"browser_version,omitempty"`
	ExtensionVersion string `json:"extension_version,omitempty"`
	// Origin is that of the extension.
	Origin string `json:"origin,omitempty"`
	// Commands and Reserved are how many commands are in flight on the ordinary
	// slots and on the reserved ones.
	Commands int `json:"commands"`
	Reserved int `json:"reserved"`
	// Sessions is how many sessions are bound to it.
	Sessions int `json:"sessions"`
}

// PairingStatus is what became of the newest pairing code.
type PairingStatus struct {
	// Open is true while the code can be redeemed.
	Open bool `json:"open"`
	// ExpiresMS is how long it can, in milliseconds.
	ExpiresMS    int64            `json:"expires_ms"`
	AttemptsLeft int              `json:"attempts_left"`
	Attempts     []PairingAttempt `json:"attempts"`
}

// PairingAttempt is one try to redeem a pairing code.
type PairingAttempt struct {
	// Origin is that of the extension that tried.
	Origin string `json:"origin"`
	// Outcome is "wrong", "redeemed" or "too_soon".
	Outcome string `json:"outcome"`
	// AgoMS is how long ago, in milliseconds.
	AgoMS int64 `json:"ago_ms"`
}

// Pairing is a new pairing code.
type Pairing struct {
	// Code is six digits.
	Code string `json:"code"`
	// ExpiresMS is how long it is valid, in milliseconds.
	ExpiresMS int64 `json:"expires_ms"`
}

// Status asks the daemon how it is.
func (c *Client) Status(ctx context.Context) (DaemonStatus, error) {
	return admin[DaemonStatus](ctx, c, http.MethodGet, "/admin/status")
}

// OpenPairing makes a new pairing code, which voids the one before.
func (c *Client) OpenPairing(ctx context.Context) (Pairing, error) {
	return admin[Pairing](ctx, c, http.MethodPost, "/admin/pair")
}

// RotateToken makes the daemon take a new token, which it returns and which the
// Client uses from then on. Every extension is disconnected and an open pairing
// code void. After outcome_unknown config.json tells which token holds.
func (c *Client) RotateToken(ctx context.Context) (string, error) {
	rotated, err := admin[struct {
		Token string `json:"token"`
	}](ctx, c, http.MethodPost, "/admin/token")
	if err != nil {
		return "", err
	}
	c.token.Store(&rotated.Token)
	// A connection that was proven with the old token says nothing about the new one.
	c.transport.CloseIdleConnections()
	return rotated.Token, nil
}

// admin asks for something that the daemon does by itself.
func admin[A any](ctx context.Context, c *Client, method, path string) (A, error) {
	var answer A
	ctx, cancel := context.WithTimeout(ctx, adminTime)
	defer cancel()
	res, body, err := c.exchange(ctx, method, path, nil)
	if err != nil {
		return answer, err
	}
	if res.StatusCode != http.StatusOK {
		return answer, decodeRefusal(res, body)
	}
	if json.Unmarshal(body, &answer) != nil {
		return answer, protocol.Unknown(protocol.DeliveredUnknown, "the answer to %s is not what this version knows", path)
	}
	return answer, nil
}
