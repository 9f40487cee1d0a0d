package api_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestPairing(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		guess := func(code string) answered {
			time.Sleep(time.Second)
			return <-s.ask(http.MethodPost, "/pair", `{"code":"`+code+`"}`, "Origin", peer.FirefoxOrigin)
		}
		requireRefused(t, guess("000000"), protocol.Unauthorized)
		var opened struct {
			Code    string
			Expires int64 `json:"expires_ms"`
		}
		require.NoError(t, json.Unmarshal((<-s.ask(http.MethodPost, "/admin/pair", "")).body, &opened))
		require.Regexp(t, "^[0-9]{6}$", opened.Code)
		require.Equal(t, int64(300_000), opened.Expires)

		requireRefused(t, guess("x"), protocol.BadRequest)
		wrong := "000000"
		if opened.Code == wrong {
			wrong = "000001"
		}
		requireRefused(t, guess(wrong), protocol.Unauthorized)
		soon := <-s.ask(http.MethodPost, "/pair", `{"code":"`+opened.Code+`"}`, "Origin", peer.FirefoxOrigin)
		requireRefused(t, soon, protocol.Busy)
		require.Equal(t, "1", soon.header.Get("Retry-After"))
		require.JSONEq(t, `{"token":"`+token+`"}`, string(guess(opened.Code).body))
		requireRefused(t, guess(opened.Code), protocol.Unauthorized)
		require.NotContains(t, s.log.String(), opened.Code)

		var outcomes []string
		for _, a := range s.status().Pairing.Attempts {
			require.Equal(t, peer.FirefoxOrigin, a.Origin)
			outcomes = append(outcomes, a.Outcome)
		}
		require.Equal(t, []string{"wrong", "too_soon", "redeemed", "wrong"}, outcomes)
	})
}

func TestPairingHasPlacesOfItsOwn(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		head := "POST /pair HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: " + peer.ChromeOrigin + "\r\nContent-Length: 17\r\n\r\n"
		var slow []*wire
		for range s.limits.PairConcurrent {
			w := s.dial()
			w.write(head)
			slow = append(slow, w)
		}
		synctest.Wait()
		require.Equal(t, s.limits.PairConcurrent+1, s.status().Requests)
		fifth := <-s.ask(http.MethodPost, "/pair", `{"code":"000000"}`, "Origin", peer.ChromeOrigin)
		requireRefused(t, fifth, protocol.Busy)
		require.Equal(t, "1", fifth.header.Get("Retry-After"))
		slow[0].write(`{"code":"000000"}`)
		requireRefused(t, slow[0].answer("POST"), protocol.Unauthorized)
		time.Sleep(time.Second)
		sixth := <-s.ask(http.MethodPost, "/pair", `{"code":"000000"}`, "Origin", peer.ChromeOrigin)
		requireRefused(t, sixth, protocol.Unauthorized)
		for _, w := range slow[1:] {
			requireRefused(t, w.answer("POST"), protocol.RequestTimeout)
		}
	})
}
