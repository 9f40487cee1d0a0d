package sim

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// checkProof asks GET /ping whether the daemon knows the token, before anything
// is sent that holds it (AUTH-20).
func (b *Browser) checkProof(ctx context.Context) error {
	var raw [16]byte
	_, _ = rand.Read(raw[:]) // It never fails (crypto/rand).
	nonce := base64.RawURLEncoding.EncodeToString(raw[:])
	resp, body, err := b.http(ctx, http.MethodGet, "/ping?nonce="+nonce, nil)
	if err != nil {
		return fmt.Errorf("ask GET /ping: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return refused("GET /ping", resp, body)
	}
	var answer struct {
		Proof string `json:"proof"`
	}
	if json.Unmarshal(body, &answer) != nil || !protocol.CheckProof(b.cfg.Token, nonce, answer.Proof) {
		return ErrImpostor
	}
	return nil
}

// ask asks POST /extension what an upgrade would get now.
func (b *Browser) ask(ctx context.Context) error {
	resp, body, err := b.http(ctx, http.MethodPost, "/extension", http.Header{"Authorization": {"Bearer " + b.cfg.Token}})
	if err != nil {
		return fmt.Errorf("ask POST /extension: %w", err)
	}
	if resp.StatusCode != http.StatusNoContent {
		return refused("POST /extension", resp, body)
	}
	return nil
}

// asked is ask after a refused upgrade, as a browser asks for the reason: with
// a preflight where CORS wants one. It returns the status, 0 if there was none.
func (b *Browser) asked(ctx context.Context) int {
	if b.profile.Preflight {
		resp, _, err := b.http(ctx, http.MethodOptions, "/extension", http.Header{
			"Access-Control-Request-Method":  {http.MethodPost},
			"Access-Control-Request-Headers": {"authorization"},
		})
		if err != nil || resp.Header.Get("Access-Control-Allow-Origin") != b.profile.Origin {
			return 0
		}
	}
	resp, _, err := b.http(ctx, http.MethodPost, "/extension", http.Header{"Authorization": {"Bearer " + b.cfg.Token}})
	if err != nil {
		return 0
	}
	return resp.StatusCode
}

// http makes one request as the extension's background does.
func (b *Browser) http(ctx context.Context, method, target string, header http.Header) (*http.Response, []byte, error) {
	req, err := http.NewRequestWithContext(ctx, method, "http://"+b.cfg.Addr+target, nil)
	if err != nil {
		return nil, nil, err
	}
	if header != nil {
		req.Header = header
	}
	if method != http.MethodGet || b.profile.OriginOnGet {
		req.Header.Set("Origin", b.profile.Origin)
	}
	if b.profile.Site != "" {
		req.Header.Set("Sec-Fetch-Site", b.profile.Site)
	}
	resp, err := b.client(&capture{}).Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 64<<10))
	return resp, body, err
}

// refusal is refused for a response whose body the WebSocket library has read.
func refusal(what string, resp *http.Response) *Refused {
	var body []byte
	if resp.Body != nil {
		body, _ = io.ReadAll(resp.Body)
	}
	return refused(what, resp, body)
}

func refused(what string, resp *http.Response, body []byte) *Refused {
	r := &Refused{What: what, Status: resp.StatusCode, Header: resp.Header}
	var answer struct {
		Error struct {
			Code    protocol.Code `json:"code"`
			Message string        `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) == nil {
		r.Code, r.Message = answer.Error.Code, answer.Error.Message
	}
	return r
}
