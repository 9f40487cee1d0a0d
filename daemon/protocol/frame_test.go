package protocol_test

import (
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func decode(t testing.TB, msg string) protocol.Frame {
	t.Helper()
	f, err := protocol.DecodeFrame([]byte(msg))
	require.NoError(t, err, "%.300s", msg)
	return f
}

// TestFramesSurviveTheirEncoding encodes each frame, holds it against its
// schema, and decodes it again.
func TestFramesSurviveTheirEncoding(t *testing.T) {
	o := newOracle(t)
	for _, c := range []struct {
		schema string
		frame  interface {
			protocol.Frame
			AppendTo(dst []byte) []byte
		}
	}{
		{"hello", &protocol.Hello{Browser: protocol.Chrome, BrowserVersion: "156.0.8078.114", ExtensionVersion: "0.1", Sessions: []string{"shop", "süß \"q\"", "__proto__"}, FileAccess: true}},
		{"hello", &protocol.Hello{Browser: protocol.Firefox, BrowserVersion: "153"}},
		{"welcome", &protocol.Welcome{DaemonVersion: "0.1.0", Limits: jsontext.Value(`{"waiting":32}`)}},
		{"command", &protocol.CommandFrame{ID: "c1", Session: "shöp\u2028", Action: "click", Args: jsontext.Value(`{"ref" : "\u0040e5"}`), DeadlineMS: 1}},
		{"result", &protocol.Result{ID: "c1", OK: true, Data: jsontext.Value(`{"value":"\ud800"}`)}},
		{"result", &protocol.Result{ID: "c1", Error: &protocol.Error{Code: protocol.PageError, Message: "line 1\nline \"2\""}}},
		{"result", &protocol.Result{ID: "c1", Error: &protocol.Error{Code: protocol.OutcomeUnknown, Message: "", Delivered: protocol.DeliveredUnknown}}},
		{"result", &protocol.Result{ID: "c1", Error: protocol.Errorf(protocol.Busy, "x")}},
	} {
		b := c.frame.AppendTo([]byte("before"))[len("before"):]
		require.NoError(t, valid(t, o.schema(t, "frame/"+c.schema+".json"), b), "%s", b)
		require.Equal(t, c.frame, decode(t, string(b)))
	}
	require.Equal(t, protocol.Ping{}, decode(t, string(protocol.PingFrame)))
	require.Equal(t, protocol.Pong{}, decode(t, string(protocol.PongFrame)))
	require.NoError(t, valid(t, o.schema(t, "frame/ping.json"), protocol.PingFrame))
	require.NoError(t, valid(t, o.schema(t, "frame/pong.json"), protocol.PongFrame))
}

func TestDataOfAPagePassesByteForByte(t *testing.T) {
	for _, data := range []string{
		`{}`, `{ }`, `{"value":"\ud800"}`, `{"value":"\udc00\ud800<>&\u003c"}`, `{"value":{"\ud800":1,"\ud801":2}}`,
		`{"value":{"a":1,"a":2}}`, `{"value":1.0e+2,"n":-0, "big":123456789012345678901234567890}`, "{\"value\":\"\u2028\"\n}",
		`{"value":{"__proto__":{"a":[{}]}}}`,
	} {
		r := decode(t, `{"ok":true, "data":`+data+` ,"id":"c1","type":"result","further":[1]}`).(*protocol.Result)
		require.NoError(t, r.Bad, data)
		require.Equal(t, data, string(r.Data))
		require.Equal(t, `{"id":"a\"1","ok":true,"data":`+data+`}`, string(protocol.AppendAnswer(nil, `a"1`, r.Data)))
		require.Equal(t, `{"type":"result","id":"c1","ok":true,"data":`+data+`}`, string(r.AppendTo(nil)))
	}
}

func TestAnswersAreAsTheirSchemaSays(t *testing.T) {
	s := newOracle(t).schema(t, "http/answer.json")
	for _, answer := range [][]byte{
		protocol.AppendAnswer(nil, "r1", nil),
		protocol.AppendAnswer(nil, "r1", jsontext.Value(`{"value":[1]}`)),
		protocol.AppendError(nil, "r1", protocol.Errorf(protocol.Busy, "the %dth", 129)),
		protocol.AppendError(nil, "r1", protocol.Unknown(protocol.DeliveredUnknown, "x")),
		protocol.AppendError(nil, "r1", &protocol.Error{Code: protocol.NotActionable, Message: "covered by <div>"}),
	} {
		require.NoError(t, valid(t, s, answer), "%s", answer)
	}
	require.Equal(t, `{"id":"r1","ok":true,"data":{}}`, string(protocol.AppendAnswer(nil, "r1", nil)))
	require.Equal(t, `{"ok":false,"error":{"code":"unauthorized","message":"no\ttoken","delivered":"no"}}`,
		string(protocol.AppendError(nil, "", protocol.Errorf(protocol.Unauthorized, "no\ttoken"))))
	require.Equal(t, `x{"id":"r1","ok":false,"error":{"code":"page_error","message":"`+"a\ufffdb"+`"}}`,
		string(protocol.AppendError([]byte("x"), "r1", &protocol.Error{Code: protocol.PageError, Message: "a\xffb"})))
}

// TestWhatIsNoFrameClosesTheLink: no JSON, no type, and the frames that the
// link itself needs.
func TestWhatIsNoFrameClosesTheLink(t *testing.T) {
	hello := `{"type":"hello","browser":"chrome","browser_version":"1","sessions":[]`
	for msg, want := range map[string]string{
		``:                                    "a frame is no good JSON: the JSON ends too early",
		`x`:                                   "a frame is no good JSON: it breaks the JSON grammar, at byte 0",
		`[]`:                                  "a frame is no good JSON: it is an array, and one JSON object is expected",
		`null`:                                "a frame is no good JSON: it is null, and one JSON object is expected",
		`{"type":"ping"}{}`:                   "a frame is no good JSON: something stands behind it, at byte 15",
		`{"type":"ping"`:                      "a frame is no good JSON: the JSON ends too early",
		"\xef\xbb\xbf{\"type\":\"ping\"}":     "a frame is no good JSON: it breaks the JSON grammar, at byte 0",
		`{"type":"ping","type":"ping"}`:       `a frame is no good JSON: its "type" stands there twice`,
		`{"type":"ping","t\u0079pe":"pong"}`:  `a frame is no good JSON: its "type" stands there twice`,
		`{"id":"a","id":"b","type":"result"}`: `a frame is no good JSON: its "id" stands there twice`,
		`{}`:                                  `a frame has no "type"`,
		`{"type":5}`:                          `a frame has no "type"`,
		`{"type":null}`:                       `a frame has no "type"`,
		`{"type":"\ud800"}`:                   `a frame has no "type"`,
		`{"type":"event"}`:                    `an event frame has no "event"`,
		`{"type":"hello","browser_version":"1","sessions":[]}`:                                                `hello: "browser" is missing`,
		`{"type":"hello","browser":5,"sessions":[]}`:                                                          `hello: "browser" must be a string, not a number`,
		`{"type":"hello","browser":"chrome","sessions":[]}`:                                                   `hello: "browser_version" is missing`,
		`{"type":"hello","browser":"chrome","browser_version":"1"}`:                                           `hello: "sessions" is missing`,
		`{"type":"hello","browser":"chrome","browser_version":"1","sessions":{}}`:                             `hello: "sessions" must be an array, not an object`,
		`{"type":"hello","browser":"chrome","browser_version":"1","sessions":["a",5]}`:                        `hello: "sessions" must be an array of strings: one must be a string, not a number`,
		hello + `,"file_access":"yes"}`:                                                                       `hello: "file_access" must be true or false, not a string`,
		hello + `,"extension_version":5}`:                                                                     `hello: "extension_version" must be a string, not a number`,
		`{"type":"welcome"}`:                                                                                  `welcome: "daemon_version" is missing`,
		`{"type":"welcome","daemon_version":"1"}`:                                                             `welcome: "limits" is missing`,
		`{"type":"welcome","daemon_version":"1","limits":[]}`:                                                 `welcome: "limits" must be an object, not an array`,
		`{"type":"command"}`:                                                                                  `command: "id" is missing`,
		`{"type":"command","id":"a"}`:                                                                         `command: "session" is missing`,
		`{"type":"command","id":"a","session":"s"}`:                                                           `command: "action" is missing`,
		`{"type":"command","id":"a","session":"s","action":"b"}`:                                              `command: "args" is missing`,
		`{"type":"command","id":"a","session":"s","action":"b","args":[]}`:                                    `command: "args" must be an object, not an array`,
		`{"type":"command","id":"a","session":"s","action":"b","args":{}}`:                                    `command: "deadline_ms" is missing`,
		`{"type":"command","id":"a","session":"s","action":"b","args":{},"deadline_ms":1.5}`:                  `command: "deadline_ms" must be a whole number in plain digits`,
		`{"type":"command","id":"a","session":"s","action":"b","args":{},"deadline_ms":"1"}`:                  `command: "deadline_ms" must be a whole number, not a string`,
		`{"type":"command","id":"a","session":"s","action":"b","args":{},"deadline_ms":99999999999999999999}`: `command: "deadline_ms" is too large a number`,
	} {
		f, err := protocol.DecodeFrame([]byte(msg))
		require.EqualError(t, err, want, "%q", msg)
		require.Nil(t, f)
		require.NotErrorIs(t, err, protocol.ErrNotUTF8)
	}
	for _, msg := range []string{"{\"type\":\"\xff\"}", "\x80", `{"type":"result","id":"a","ok":true,"data":{"value":"` + "\xed\xa0\x80" + `"}}`} {
		_, err := protocol.DecodeFrame([]byte(msg))
		require.ErrorIs(t, err, protocol.ErrNotUTF8)
	}
}

func TestNewerPeersAreUnderstood(t *testing.T) {
	require.Equal(t, protocol.Unrecognized{Type: "trace"}, decode(t, `{"type":"trace","id":5,"data":null,"x":{"x":1,"x":2}}`))
	require.Equal(t, protocol.Unrecognized{Type: ""}, decode(t, `{"type":""}`))
	require.Equal(t, protocol.Unrecognized{Type: "Ping"}, decode(t, `{"type":"Ping"}`))
	require.Equal(t, protocol.Ping{}, decode(t, `{"type":"ping","Type":5,"at":12}`))
	for _, kind := range []string{"cdp", "cdp_attach", "cdp_attached", "cdp_detached"} {
		require.Equal(t, protocol.Unrecognized{Type: kind}, decode(t, `{"type":"`+kind+`","link":"l1"}`))
	}
	h := decode(t, `{"type":"hello","browser":"chrome","browser_version":"1","sessions":[],"extension_version":null,"file_access":null,"mood":"good"}`)
	require.Equal(t, &protocol.Hello{Browser: "chrome", BrowserVersion: "1"}, h)
	e := decode(t, `{"type":"event","event":"tab_closed","tab":12}`).(*protocol.Event)
	require.Equal(t, "tab_closed", e.Name)
	require.Equal(t, `{"type":"event","event":"tab_closed","tab":12}`, string(e.Raw))
}

// TestAResultThatBreaksItsSchemaIsItsOwnCommandsMatter holds C45 f too.
func TestAResultThatBreaksItsSchemaIsItsOwnCommandsMatter(t *testing.T) {
	s := newOracle(t).schema(t, "frame/result.json")
	for rest, want := range map[string]string{
		``:                       `"ok" is missing`,
		`,"ok":1`:                `"ok" must be true or false, not a number`,
		`,"ok":null,"data":{}`:   `"ok" must be true or false, not null`,
		`,"ok":true`:             `"data" is missing`,
		`,"ok":true,"data":null`: `"data" must be an object, not null`,
		`,"ok":true,"data":[]`:   `"data" must be an object, not an array`,
		`,"ok":true,"data":{},"error":{"code":"busy","message":""}`: `"ok" is true and "error" is there too`,
		`,"ok":false`:                                                           `"error" is missing`,
		`,"ok":false,"data":{}`:                                                 `"error" is missing`,
		`,"ok":false,"error":"boom"`:                                            `"error" must be an object, not a string`,
		`,"ok":false,"error":null`:                                              `"error" must be an object, not null`,
		`,"ok":false,"error":{}`:                                                `"error.code" is missing`,
		`,"ok":false,"error":{"code":"busy"}`:                                   `"error.message" is missing`,
		`,"ok":false,"error":{"code":5,"message":"x"}`:                          `"error.code" must be a string, not a number`,
		`,"ok":false,"error":{"code":"kaputt","message":"x"}`:                   `"error.code" is "kaputt", which is not of the closed list`,
		`,"ok":false,"error":{"code":"Busy","message":"x"}`:                     `"error.code" is "Busy", which is not of the closed list`,
		`,"ok":false,"error":{"code":"busy","message":{}}`:                      `"error.message" must be a string, not an object`,
		`,"ok":false,"error":{"code":"busy","message":"x","delivered":"maybe"}`: `"error.delivered" must be "no" or "unknown"`,
		`,"ok":false,"error":{"code":"busy","message":"x","delivered":true}`:    `"error.delivered" must be "no" or "unknown"`,
	} {
		msg := `{"type":"result","id":"c7"` + rest + `}`
		r := decode(t, msg).(*protocol.Result)
		require.EqualError(t, r.Bad, want, msg)
		require.Equal(t, "c7", r.ID)
		require.Error(t, valid(t, s, jsontext.Value(msg)), msg)
	}
	for _, msg := range []string{`{"type":"result","ok":true,"data":{}}`, `{"type":"result","id":5,"ok":true,"data":{}}`, `{"type":"result","id":"","ok":true,"data":{}}`, `{"type":"result","id":"\ud800","ok":true,"data":{}}`} {
		r := decode(t, msg).(*protocol.Result)
		require.Error(t, r.Bad)
		require.Empty(t, r.ID)
	}
	// What a page threw may hold anything.
	r := decode(t, `{"type":"result","id":"c7","ok":false,"error":{"code":"page_error","message":"a\ud800b","stack":[1]}}`).(*protocol.Result)
	require.NoError(t, r.Bad)
	require.Equal(t, &protocol.Error{Code: protocol.PageError, Message: "a\ufffdb"}, r.Error)
}

// TestAPageCannotNestALinkToDeath: C19 as a message of the extension.
func TestAPageCannotNestALinkToDeath(t *testing.T) {
	nested := func(n int) string {
		return `{"id":"c7","data":{"value":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `},"ok":true,"type":"result"}`
	}
	r := decode(t, nested(9_998)).(*protocol.Result)
	require.NoError(t, r.Bad)
	for _, n := range []int{9_999, 10_001, 900_000} {
		start := time.Now()
		r := decode(t, nested(n)).(*protocol.Result)
		require.EqualError(t, r.Bad, "its JSON nests deeper than 10000 levels")
		require.Equal(t, "c7", r.ID)
		require.Less(t, time.Since(start), time.Second)
	}
	for _, msg := range []string{
		strings.Repeat("[", 900_000), strings.Repeat(`{"a":`, 900_000),
		`{"type":"result","id":"c7","ok":true,"data":` + strings.Repeat("[", 900_000),
		`{"type":"hello","x":` + strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001) + `}`,
	} {
		_, err := protocol.DecodeFrame([]byte(msg))
		require.ErrorContains(t, err, "a frame is no good JSON")
	}
}

func TestRequestsOfTheExtension(t *testing.T) {
	f := decode(t, `{"type":"request","id":"r1","action":"tabs","args":{"all":true},"session":"shop","browser":"firefox","timeout_ms":5}`).(*protocol.Request)
	require.Equal(t, "r1", f.ID)
	c, err := protocol.DecodeRequest(f.Raw, limits)
	require.NoError(t, err)
	require.Equal(t, "tabs", c.Action.Name)
	require.Equal(t, `{"all":true}`, string(c.Args))
	require.Equal(t, "shop", c.Session)
	require.Equal(t, protocol.Firefox, c.Browser)
	require.Equal(t, "r1", c.ID)
	require.Equal(t, 5*time.Millisecond, c.Timeout)

	for msg, want := range map[string]string{
		`{"type":"request","id":"r1"}`:                                                                     `"action" is missing`,
		`{"type":"request","action":"back","foo":1}`:                                                       `"foo" is no field of a command`,
		`{"type":"request","action":"back","args":{"tab":-1}}`:                                             `back: args.tab must be a whole number`,
		`{"type":"request","action":"back","timeout_ms":120001}`:                                           `"timeout_ms" must be a whole number from 1 to 120000`,
		`{"type":"request","action":"back","x":{"a":1,"a":1}}`:                                             `the request is no good JSON: a name stands twice`,
		`{"type":"request","action":"back","x":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`: `the request is no good JSON: its JSON nests deeper than 64 levels`,
		`{"type":"request","action":"pdf","args":{"path":"/a"}}`:                                           `pdf: "path" names a file, which a request on the extension's link must not`,
		`{"type":"request","action":"screenshot","args":{"p\u0061th":"/a"}}`:                               `screenshot: "path" names a file`,
		`{"type":"request","action":"upload","args":{"ref":"e1","files":["/a"]}}`:                          `upload: "files" names a file`,
	} {
		r := decode(t, msg).(*protocol.Request)
		_, err := protocol.DecodeRequest(r.Raw, limits)
		require.ErrorContains(t, err, want, "%.200s", msg)
		require.Equal(t, protocol.BadRequest, protocol.AsError(err).Code)
	}
	_, err = protocol.DecodeRequest([]byte(`{"type":"request","action":"screenshot","args":{"format":"png"}}`), limits)
	require.NoError(t, err)
	_, err = protocol.DecodeRequest([]byte(`{"type":"request","action":"cookies","args":{"cmd":"set","name":"a","value":"b","path":"/"}}`), limits)
	require.NoError(t, err, "a cookie's path names no file")
	require.Empty(t, decode(t, `{"type":"request","id":7}`).(*protocol.Request).ID)
}

// TestFrameSchemasNameTheirType keeps the files of frame/ what they say.
func TestFrameSchemasNameTheirType(t *testing.T) {
	o := newOracle(t)
	entries, err := fs.ReadDir(protocol.Schemas(), "frame")
	require.NoError(t, err)
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".json")
		doc := o.docs["frame/"+e.Name()].(map[string]any)
		require.Equal(t, name, doc["title"])
		require.Equal(t, map[string]any{"const": name}, doc["properties"].(map[string]any)["type"])
		require.Contains(t, doc["required"], "type")
		require.NotContains(t, doc, "additionalProperties", "newer peers may add fields")
	}
}
