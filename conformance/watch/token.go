package watch

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const bearer = "Bearer "

// token judges where a request carries the token, and whether it may yet.
// j.mu is held.
func (j *Judge) token(a Asked) {
	values := a.Header.Values("Authorization")
	sent := false
	for _, token := range j.tokens() {
		if token == "" {
			continue
		}
		if where := misplaced(a, token); where != "" {
			sent = true
			j.find(RuleHeader, "misplaced", a.Seq, a.At, "it sends the token in the header Authorization, and nowhere else",
				"request %d (%s %s) carries the token in %s", a.Seq, a.Method, pathOf(a.Target), where)
		}
		for _, v := range values {
			sent = sent || strings.Contains(v, token)
		}
	}
	if !sent && len(values) == 0 {
		return
	}
	j.met[RuleHeader]++
	if !sent {
		return
	}
	j.met[RuleProof]++
	if !j.proven {
		j.find(RuleProof, "unproven", a.Seq, a.At, "it asks GET /ping?nonce=… first and checks the proof, so that a stranger on the port learns nothing",
			"request %d (%s %s) carries the token, and whoever listens there had not shown that it knows it", a.Seq, a.Method, pathOf(a.Target))
	}
}

// misplaced says where else than as Authorization: Bearer a request carries the
// token, "" if nowhere.
func misplaced(a Asked, token string) string {
	if holds(a.Target, token) {
		return "its URL"
	}
	for name, values := range a.Header {
		for _, v := range values {
			if !holds(v, token) {
				continue
			}
			if name != "Authorization" {
				return "the header " + name
			}
			if scheme, rest, _ := strings.Cut(v, " "); !strings.EqualFold(scheme, strings.TrimSpace(bearer)) || rest != token {
				return "the header Authorization, but not as Bearer and itself alone"
			}
		}
	}
	if n := len(a.Header.Values("Authorization")); n > 1 {
		return "one of several Authorization headers"
	}
	if holds(string(a.Body), token) {
		return "its body"
	}
	return ""
}

// holds reports whether s holds the token, as it is or percent-encoded.
func holds(s, token string) bool {
	if strings.Contains(s, token) {
		return true
	}
	plain, err := url.QueryUnescape(s)
	return err == nil && strings.Contains(plain, token)
}

// pathOf is a target without what may hold a secret.
func pathOf(target string) string {
	path, _, _ := strings.Cut(target, "?")
	switch path {
	case "/ping", "/command", "/pair", "/extension", "/admin/pair", "/admin/status", "/admin/token":
		return path
	}
	return "another path"
}

// nonceOf returns the nonce of a request for a proof.
func nonceOf(a Asked) (string, bool) {
	u, err := url.ParseRequestURI(a.Target)
	if err != nil || a.Method != http.MethodGet || u.Path != "/ping" {
		return "", false
	}
	nonce := u.Query().Get("nonce")
	return nonce, nonce != ""
}

// proof notes whether an answer to GET /ping showed the token. j.mu is held.
func (j *Judge) proof(nonce string, a Answered) {
	var pong struct {
		Proof string `json:"proof"`
	}
	if a.Status != http.StatusOK || json.Unmarshal(a.Body, &pong) != nil {
		return
	}
	for _, token := range j.tokens() {
		if token != "" && protocol.CheckProof(token, nonce, pong.Proof) {
			j.proven = true
		}
	}
}
