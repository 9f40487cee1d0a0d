package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/internal/peer"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestStatus(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		chrome := s.connect(protocol.Chrome, "held")
		click := s.command(`"action":"click","session":"shop","args":{"ref":"e1"}`)
		f := chrome.Command("click")
		dialog := s.command(`"action":"dialog","session":"shop","args":{"accept":true}`)
		g := chrome.Command("dialog")
		time.Sleep(5 * time.Second)
		a := <-s.ask(http.MethodGet, "/admin/status", "")
		require.JSONEq(t, `{
			"version":"1.0","protocol":"omw.v1","addr":"127.0.0.1:17373","uptime_ms":5000,"requests":3,"buffered_bytes":0,
			"browsers":{
				"chrome":{"connected":true,"origin":"`+peer.ChromeOrigin+`","browser_version":"156.0","extension_version":"1.0",
					"commands":1,"reserved":1,"sessions":2},
				"firefox":{"connected":false,"sessions":0}
			},
			"sessions":{"held":"chrome","shop":"chrome"},
			"pairing":{"open":false,"attempts":[]}
		}`, string(a.body))
		chrome.Answer(f, "{}")
		chrome.Answer(g, `{"type":"alert","message":"x"}`)
		require.True(t, (<-click).OK)
		require.True(t, (<-dialog).OK)
	})
}

func TestVersion(t *testing.T) {
	for path, product := range map[string]string{"/json/version": "omw/1.0", "/json/version/": "omw/1.0"} {
		bubble(t, func(t *testing.T, s *scene) {
			s.connect(protocol.Firefox)
			a := <-s.ask(http.MethodGet, path, "")
			require.JSONEq(t, `{"Browser":"`+product+`","Protocol-Version":"1.3","User-Agent":"omw/1.0","omw-Version":"1.0"}`, string(a.body))
			s.chrome()
			require.Contains(t, string((<-s.ask(http.MethodGet, path, "")).body), `"Browser":"Chrome/156.0"`)
		})
	}
}

func TestPing(t *testing.T) {
	nonce := strings.Repeat("n", 22)
	for _, tc := range []struct {
		query string
		good  bool
	}{
		{"nonce=" + nonce, true},
		{"nonce=" + nonce[1:], false},
		{"nonce=" + strings.Repeat("n", 64), true},
		{"nonce=" + strings.Repeat("n", 65), false},
		{"nonce=azAZ09-_" + nonce, true},
		{"nonce=" + nonce + "/", false},
		{"nonce=" + nonce + "%2B", false},
		{"nonce=" + nonce + "%C3%A9", false},
		{"nonce=" + nonce + "&nonce=" + nonce, false},
		{"nonce=", false},
		{"nonce", false},
	} {
		t.Run(tc.query, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				a := <-s.ask(http.MethodGet, "/ping?"+tc.query, "")
				if !tc.good {
					requireRefused(t, a, protocol.BadRequest)
					require.NotContains(t, string(a.body), "proof")
					return
				}
				asked, _ := strings.CutPrefix(tc.query, "nonce=")
				require.JSONEq(t, `{"name":"omw","version":"1.0","protocol":"omw.v1","proof":"`+protocol.Proof(token, asked)+`"}`, string(a.body))
			})
		})
	}
	bubble(t, func(t *testing.T, s *scene) {
		a := <-s.ask(http.MethodGet, "/ping?token=x", "")
		require.JSONEq(t, `{"name":"omw","version":"1.0","protocol":"omw.v1"}`, string(a.body))
	})
}

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

func TestRequestsAtATime(t *testing.T) {
	bubble(t, func(t *testing.T, s *scene) {
		var open []*wire
		for range s.limits.Requests {
			w := s.dial()
			w.write(strings.TrimSuffix(post("{}"), "}"))
			open = append(open, w)
		}
		synctest.Wait()
		refused := <-s.ask(http.MethodGet, "/admin/status", "")
		requireRefused(t, refused, protocol.Busy)
		require.Equal(t, "1", refused.header.Get("Retry-After"))
		open[0].write("}")
		requireRefused(t, open[0].answer("POST"), protocol.BadRequest)
		require.Equal(t, s.limits.Requests, s.status().Requests)
		for _, w := range open {
			require.NoError(t, w.Close())
		}
	})
}

func TestBodyAtItsLimit(t *testing.T) {
	const most = 2 << 20
	chunked := func(size int) string {
		return "POST /admin/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token +
			fmt.Sprintf("\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", size, strings.Repeat("x", size))
	}
	plain := func(size int) string {
		return strings.Replace(post(strings.Repeat("x", size)), "/command", "/admin/pair", 1)
	}
	for name, request := range map[string]func(int) string{"chunked": chunked, "plain": plain} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, s *scene) {
				w := s.dial()
				w.write(request(most))
				require.Equal(t, http.StatusOK, w.answer("POST").status)
				w.write(request(most + 1))
				requireRefused(t, w.answer("POST"), protocol.TooLarge)
				w.ended()
			})
		})
	}
}
