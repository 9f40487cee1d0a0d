package protocol_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// FuzzDecodeCommand: whatever an agent sends, the daemon does not fall. A body
// that it takes is JSON for others too, is the same after it was written anew,
// and its refusals are errors of the wire.
func FuzzDecodeCommand(f *testing.F) {
	for _, body := range []string{
		`{"action":"navigate","args":{"url":"https://shop.example/","tab":12},"session":"shop","browser":"firefox","id":"r1","timeout_ms":1}`,
		`{"action":"type","args":{"ref":"@e5","text":"\ud800"}}`,
		`{"action":"network","args":{"cmd":"list","since":1e2}}`,
		`{"action":"upload","args":{"ref":"e1","files":["/a","b"]}}`,
		`{"action":"headers","args":{"cmd":"set","rules":[{"url":"*","request":{"A":null}}]}}`,
		"\xef\xbb\xbf{}", `{"a":{"a":1,"a":1}}`, `[[[[`, `{"action":"back","timeout_ms":1e999}`, ` {"\u0061ction":"b\u0061ck"} `,
	} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		before := bytes.Clone(body)
		c, err := protocol.DecodeCommand(body, limits)
		require.Equal(t, before, body, "the body is not changed")
		if err != nil {
			e, ok := err.(*protocol.Error)
			require.True(t, ok, "%T", err)
			require.Equal(t, protocol.BadRequest, e.Code)
			require.Less(t, len(e.Message), 2000)
			require.True(t, json.Valid(protocol.AppendError(nil, "", e)))
			return
		}
		require.True(t, json.Valid(body))
		again, err := protocol.DecodeCommand(encode(c), limits)
		require.NoError(t, err)
		require.Equal(t, c, again)

		// What the daemon does with the arguments of a good command keeps them good.
		for _, name := range []string{"path", "url", "x"} {
			require.True(t, json.Valid(protocol.WithoutArg(c.Args, name)))
			require.True(t, json.Valid(protocol.ReplaceArg(c.Args, name, jsontext.Value(`[1]`))))
		}
	})
}

// encode writes the body of a command with all its fields.
func encode(c protocol.Command) []byte {
	body := fmt.Sprintf(`{"action":%s,"args":%s,"session":%s,"timeout_ms":%d`, jsonText(c.Action.Name), c.Args, jsonText(c.Session), c.Timeout.Milliseconds())
	if c.Browser != "" {
		body += `,"browser":` + jsonText(string(c.Browser))
	}
	if c.ID != "" {
		body += `,"id":` + jsonText(c.ID)
	}
	return []byte(body + "}")
}

// FuzzDecodeFrame: whatever a peer sends, the link does not fall. A frame that
// can be written is the same after it was.
func FuzzDecodeFrame(f *testing.F) {
	for _, msg := range []string{
		`{"type":"hello","browser":"chrome","browser_version":"156","extension_version":"1","sessions":["shop"],"file_access":true}`,
		`{"type":"welcome","daemon_version":"1","limits":{"waiting":32}}`,
		`{"type":"command","id":"c1","session":"s","action":"click","args":{"ref":"e1"},"deadline_ms":29987}`,
		`{"type":"result","id":"c1","ok":true,"data":{"value":"\ud800"}}`,
		`{"type":"result","id":"c1","ok":false,"error":{"code":"page_error","message":"x","delivered":"no"}}`,
		`{"type":"result","id":"c1","ok":false,"error":"x"}`,
		`{"type":"request","id":"r1","action":"tabs"}`, `{"type":"event","event":"tab_closed","tab":1}`,
		`{"type":"ping"}`, `{"type":"pong"}`, `{"type":"cdp","link":"l"}`, `{"type":"result","data":[[[[`, "\xff", `{"type":"ping","type":"x"}`,
	} {
		f.Add([]byte(msg))
	}
	f.Fuzz(func(t *testing.T, msg []byte) {
		before := bytes.Clone(msg)
		frame, err := protocol.DecodeFrame(msg)
		require.Equal(t, before, msg, "the message is not changed")
		if err != nil {
			require.Nil(t, frame)
			require.NotEmpty(t, err.Error())
			return
		}
		if r, ok := frame.(*protocol.Request); ok {
			if _, err := protocol.DecodeRequest(r.Raw, limits); err != nil {
				require.Equal(t, protocol.BadRequest, protocol.AsError(err).Code)
			}
			return
		}
		r, ok := frame.(*protocol.Result)
		if ok && r.Bad != nil {
			return
		}
		require.True(t, json.Valid(msg))
		if ok && r.OK {
			for _, a := range everyAction(t) {
				_ = a.CheckData(r.Data)
			}
			_, _ = protocol.ArtifactOf(r.Data)
		}
		if w, ok := frame.(interface{ AppendTo([]byte) []byte }); ok {
			again, err := protocol.DecodeFrame(w.AppendTo(nil))
			require.NoError(t, err)
			require.Equal(t, frame, again)
		}
	})
}
