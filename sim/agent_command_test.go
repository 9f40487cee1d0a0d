package sim

import (
	"bytes"
	"io"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func TestCommandAndItsAnswers(t *testing.T) {
	for name, tc := range map[string]struct {
		status, body string
		fails        string
		want         Answer
	}{
		"ok":        {"200 OK", `{"id":"a","ok":true,"data":{"value":"\ud800"}}`, "", Answer{Status: 200, OK: true, ID: "a", Data: []byte(`{"value":"\ud800"}`)}},
		"failed":    {"200 OK", `{"id":"a","ok":false,"error":{"code":"outcome_unknown","message":"m","delivered":"unknown"}}`, "", Answer{Status: 200, ID: "a", Code: protocol.OutcomeUnknown, Message: "m", Delivered: protocol.DeliveredUnknown}},
		"refused":   {"401 Unauthorized", `{"ok":false,"error":{"code":"unauthorized","message":"m","delivered":"no"}}`, "", Answer{Status: 401, Code: protocol.Unauthorized, Message: "m", Delivered: protocol.DeliveredNo}},
		"no JSON":   {"200 OK", `<html>`, "no JSON", Answer{Status: 200}},
		"no ok":     {"200 OK", `{}`, "neither", Answer{Status: 200}},
		"both":      {"200 OK", `{"ok":true,"error":{}}`, "neither", Answer{Status: 200}},
		"no reason": {"200 OK", `{"ok":false}`, "neither", Answer{Status: 200}},
	} {
		t.Run(name, func(t *testing.T) {
			served(t, func(t *testing.T, a *Agent, accept func() net.Conn) {
				asked := make(chan string, 1)
				go func() {
					peer := accept()
					p := make([]byte, 1000)
					n := 0
					for !bytes.Contains(p[:n], []byte("}}")) {
						k, _ := peer.Read(p[n:])
						n += k
					}
					asked <- string(p[:n])
					_, _ = io.WriteString(peer, "HTTP/1.1 "+tc.status+"\r\n\r\n"+tc.body)
					_ = peer.Close()
				}()
				ans, err := a.Command(t.Context(), "tok", CommandSpec{Action: "click", Session: "s", TimeoutMS: 5, Args: []byte(`{"x":{}}`)})
				require.Contains(t, <-asked, "Bearer tok")
				if tc.fails != "" {
					require.ErrorContains(t, err, tc.fails)
				} else {
					require.NoError(t, err)
				}
				ans.At, ans.Response = time.Time{}, Response{}
				require.Equal(t, tc.want, ans)
			})
		})
	}
}

func TestASpecAsJSON(t *testing.T) {
	require.Equal(t, `{"action":"click","args":{"ref":"e1"},"session":"s","browser":"firefox","id":"i","timeout_ms":5}`,
		string(CommandSpec{"click", []byte(`{"ref":"e1"}`), "s", protocol.Firefox, "i", 5}.Body()))
	require.Equal(t, `{}`, string(CommandSpec{}.Body()))
	require.Equal(t, `{"action":"click","args":{"a":1,"a":2}}`, string(CommandSpec{Action: "click", Args: []byte(`{"a":1,"a":2}`)}.Body()), "what JSON is not is the daemon's to judge")
}
