package protocol

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
)

// Proof returns what GET /ping?nonce=NONCE answers as "proof": the HMAC-SHA-256
// of "omw-ping:" and the nonce under the token, in base64url without padding.
// Who holds the token computes it too and sends the token only to a daemon that
// knows it already (AUTH-20).
func Proof(token, nonce string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte("omw-ping:" + nonce))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// CheckProof reports whether proof is the one for token and nonce, in constant time.
func CheckProof(token, nonce, proof string) bool {
	return hmac.Equal([]byte(Proof(token, nonce)), []byte(proof))
}
