package client_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// answering answers every command with these bytes.
func answering(status int, body string) http.Handler {
	return proving(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func TestAnswers(t *testing.T) {
	const ok = `{"id":"7","ok":true,"data":{"a":1}}`
	unknown := protocol.OutcomeUnknown
	for name, tc := range map[string]struct {
		status    int
		body      string
		code      protocol.Code // empty: no error
		delivered protocol.Delivered
	}{
		"ok":                                 {200, ok, "", ""},
		"a newer daemon says more":           {200, `{"id":"7","ok":true,"data":{"a":1},"took_ms":3}`, "", ""},
		"an error of the browser":            {200, `{"id":"7","ok":false,"error":{"code":"stale_ref","message":"gone"}}`, protocol.StaleRef, ""},
		"an error of the daemon":             {200, `{"id":"7","ok":false,"error":{"code":"not_connected","message":"none","delivered":"no"}}`, protocol.NotConnected, "no"},
		"outcome_unknown, never sent":        {200, `{"id":"7","ok":false,"error":{"code":"outcome_unknown","message":"x","delivered":"no"}}`, unknown, "no"},
		"a refusal of the gate":              {403, `{"ok":false,"error":{"code":"forbidden","message":"x","delivered":"no"}}`, protocol.Forbidden, "no"},
		"busy":                               {503, `{"ok":false,"error":{"code":"busy","message":"x","delivered":"no"}}`, protocol.Busy, "no"},
		"shutting down":                      {503, `{"ok":false,"error":{"code":"not_connected","message":"x","delivered":"no"}}`, protocol.NotConnected, "no"},
		"a wrong token":                      {401, `{"ok":false,"error":{"code":"unauthorized","message":"x","delivered":"no"}}`, protocol.Unauthorized, "no"},
		"a refusal with another status":      {500, `{"ok":false,"error":{"code":"forbidden","message":"x","delivered":"no"}}`, unknown, "unknown"},
		"a refusal that hides behind 502":    {502, "bad gateway", unknown, "unknown"},
		"a text behind 400":                  {400, "Bad Request", unknown, "unknown"},
		"nothing behind 401":                 {401, "", unknown, "unknown"},
		"a status that is no answer":         {204, "", unknown, "unknown"},
		"another id":                         {200, `{"id":"8","ok":true,"data":{}}`, unknown, "unknown"},
		"no id":                              {200, `{"ok":true,"data":{}}`, unknown, "unknown"},
		"no JSON":                            {200, "hello", unknown, "unknown"},
		"empty":                              {200, "", unknown, "unknown"},
		"cut":                                {200, ok[:20], unknown, "unknown"},
		"two of them":                        {200, ok + ok, unknown, "unknown"},
		"neither ok nor not":                 {200, `{"id":"7","data":{}}`, unknown, "unknown"},
		"ok without data":                    {200, `{"id":"7","ok":true}`, unknown, "unknown"},
		"ok with data that is no object":     {200, `{"id":"7","ok":true,"data":[1]}`, unknown, "unknown"},
		"not ok without an error":            {200, `{"id":"7","ok":false}`, unknown, "unknown"},
		"a code that is not of the list":     {200, `{"id":"7","ok":false,"error":{"code":"sorry","message":"x"}}`, unknown, "unknown"},
		"a code that is not of the list (4)": {500, `{"ok":false,"error":{"code":"sorry","message":"x"}}`, unknown, "unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			c := serve(t, answering(tc.status, tc.body))
			a, err := c.Do(within(t, 5*time.Second), client.Command{Action: "back", ID: "7"})
			require.Equal(t, "7", a.ID)
			if tc.code == "" {
				require.NoError(t, err)
				require.JSONEq(t, `{"a":1}`, string(a.Data))
				return
			}
			e := wire(t, err)
			require.Equal(t, tc.code, e.Code, e.Message)
			require.Equal(t, tc.delivered, e.Delivered)
			require.Nil(t, a.Data)
		})
	}
}

// Data of a page arrives byte for byte, lone surrogates and blanks included.
func TestDataIsNotTouched(t *testing.T) {
	const data = `{"value":"\ud800 <b>&\u2028", "n":12345678901234567890.10 }`
	c := serve(t, answering(200, `{"id":"1","ok":true,"data":`+data+`}`))
	a, err := c.Do(within(t, 5*time.Second), client.Command{Action: "back"})
	require.NoError(t, err)
	require.Equal(t, data, string(a.Data))
	require.Equal(t, "1", a.ID)
}

func TestLargeAnswer(t *testing.T) {
	for name, size := range map[string]int{"with its length": 32 << 20, "chunked": 1 << 20} {
		t.Run(name, func(t *testing.T) {
			value, chunked := strings.Repeat("x", size), name == "chunked"
			c := serve(t, proving(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.Copy(io.Discard, r.Body)
				body := []byte(`{"id":"1","ok":true,"data":{"value":"` + value + `"}}`)
				if chunked {
					_, _ = w.Write(body[:10])
					_ = http.NewResponseController(w).Flush()
					body = body[10:]
				}
				_, _ = w.Write(body)
			}))
			a, err := c.Do(within(t, time.Minute), client.Command{Action: "evaluate", Args: client.EvaluateArgs{Code: "1"}})
			require.NoError(t, err)
			require.True(t, string(a.Data) == `{"value":"`+value+`"}`)
		})
	}
}

// A body of 2 MiB is sent, and one byte more is refused here already: the
// daemon would refuse it, and nothing has to be sent to know that (CMD-01).
func TestLargestCommand(t *testing.T) {
	var got int
	c := serve(t, proving(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = len(b)
		_, _ = io.WriteString(w, `{"id":"1","ok":true,"data":{}}`)
	}))
	limit := int(protocol.DefaultLimits().Body)
	rest := len(`{"action":"evaluate","args":{"code":""},"timeout_ms":120000}`)
	args := map[string]string{"code": strings.Repeat("x", limit-rest)}
	_, err := c.Do(within(t, 10*time.Second), client.Command{Action: "evaluate", Args: args})
	require.NoError(t, err)
	require.Equal(t, limit, got)

	got = 0
	args["code"] += "x"
	_, err = c.Do(within(t, 10*time.Second), client.Command{Action: "evaluate", Args: args})
	require.Equal(t, protocol.TooLarge, wire(t, err).Code)
	require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
	require.Zero(t, got)
}

// What JSON cannot carry is refused, and not changed into something else.
func TestArgumentsThatCannotBeSent(t *testing.T) {
	c := serve(t, proving(commands(t, func(protocol.Command) string { return "{}" })))
	ctx := within(t, 10*time.Second)
	for name, cmd := range map[string]client.Command{
		"a path that is not UTF-8":    {Action: "pdf", Args: client.PDFArgs{Path: "/tmp/\xff.pdf"}},
		"an item that is not UTF-8":   {Action: "upload", Args: client.UploadArgs{Ref: "e1", Files: []string{"/a", "/\xff"}}},
		"a name that is not UTF-8":    {Action: "click", Args: map[string]any{"\xff": 1}},
		"a value in a map":            {Action: "click", Args: map[string]any{"ref": "\xff"}},
		"a pointer":                   {Action: "dialog", Args: client.DialogArgs{Text: new("\xff")}},
		"a variant":                   {Action: "cookies", Args: client.CookiesSet{Name: "a", Value: "\xff"}},
		"a session that is not UTF-8": {Action: "back", Session: "\xff"},
		"an id that is not UTF-8":     {Action: "back", ID: "\xff"},
		"a function":                  {Action: "back", Args: map[string]any{"f": func() {}}},
		"broken JSON":                 {Action: "back", Args: json.RawMessage("{")},
		"a number that JSON lacks":    {Action: "scroll", Args: client.ScrollArgs{Amount: inf()}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.Do(ctx, cmd)
			require.Equal(t, protocol.BadRequest, wire(t, err).Code)
			require.Equal(t, protocol.DeliveredNo, wire(t, err).Delivered)
		})
	}
	// U+FFFD itself, and the escape that stands for it, are good text.
	for _, args := range []any{client.TypeArgs{Ref: "e1", Text: "\ufffd"}, json.RawMessage(`{"ref":"e1","text":"\ufffd\ud800"}`)} {
		_, err := c.Do(ctx, client.Command{Action: "type", Args: args})
		require.NoError(t, err)
	}
}

func inf() float64 {
	var zero float64
	return 1 / zero
}
