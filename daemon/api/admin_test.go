package api_test

import (
	"net/http"
	"testing"
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
