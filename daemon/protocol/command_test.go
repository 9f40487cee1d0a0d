package protocol_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

var limits = protocol.DefaultLimits()

// refused decodes a body that must be refused, and returns the message.
func refused(t *testing.T, body string) string {
	t.Helper()
	_, err := protocol.DecodeCommand([]byte(body), limits)
	require.Error(t, err, "%.200s", body)
	e, ok := err.(*protocol.Error)
	require.True(t, ok, "%T", err)
	require.Equal(t, protocol.BadRequest, e.Code)
	require.Equal(t, protocol.DeliveredNo, e.Delivered)
	return e.Message
}

func accepted(t *testing.T, body string) protocol.Command {
	t.Helper()
	c, err := protocol.DecodeCommand([]byte(body), limits)
	require.NoError(t, err, "%.200s", body)
	return c
}

func TestACommandHasDefaults(t *testing.T) {
	c := accepted(t, `{"action":"back"}`)
	require.Equal(t, "back", c.Action.Name)
	require.Equal(t, "{}", string(c.Args))
	require.Equal(t, "default", c.Session)
	require.Empty(t, c.Browser)
	require.Empty(t, c.ID)
	require.Equal(t, 30*time.Second, c.Timeout)
}

func TestACommandIsDecoded(t *testing.T) {
	c := accepted(t, " {\"timeout_ms\" : 250 ,\n\"id\":\"r~1 \", \"browser\":\"firefox\",\t\"session\":\"shöp\",\"args\": {\"url\": \"a\"} ,\"action\":\"goto\"}\r\n")
	require.Equal(t, "navigate", c.Action.Name)
	require.Equal(t, `{"url": "a"}`, string(c.Args))
	require.Equal(t, "shöp", c.Session)
	require.Equal(t, protocol.Firefox, c.Browser)
	require.Equal(t, "r~1 ", c.ID)
	require.Equal(t, 250*time.Millisecond, c.Timeout)

	// Names that are spelled with escapes are the same names.
	c = accepted(t, `{"\u0061ction":"b\u0061ck","sess\u0069on":"\u0073hop","args":{"t\u0061b":1}}`)
	require.Equal(t, "back", c.Action.Name)
	require.Equal(t, "shop", c.Session)
	require.Equal(t, `{"t\u0061b":1}`, string(c.Args))
}

func TestBadJSONIsRefused(t *testing.T) {
	const ok = `{"action":"back"}`
	for body, want := range map[string]string{
		``:                                   "the body is no good JSON: it is empty, and one JSON object is expected",
		" \r\n\t":                            "the body is no good JSON: it is empty, and one JSON object is expected",
		`null`:                               "the body is no good JSON: it is null, and one JSON object is expected",
		`[]`:                                 "the body is no good JSON: it is an array, and one JSON object is expected",
		`"x"`:                                "the body is no good JSON: it is a string, and one JSON object is expected",
		`5`:                                  "the body is no good JSON: it is a number, and one JSON object is expected",
		`true`:                               "the body is no good JSON: it is a boolean, and one JSON object is expected",
		`x`:                                  "the body is no good JSON: it breaks the JSON grammar, at byte 0",
		`{`:                                  "the body is no good JSON: the JSON ends too early",
		ok[:len(ok)-1]:                       "the body is no good JSON: the JSON ends too early",
		`{"action":"ba`:                      "the body is no good JSON: the JSON ends too early",
		`{"action":"back",}`:                 "the body is no good JSON: it breaks the JSON grammar, at byte 16",
		`{"action":"back" "id":"a"}`:         "the body is no good JSON: it breaks the JSON grammar, at byte 17",
		`{'action':'back'}`:                  "the body is no good JSON: it breaks the JSON grammar, at byte 1",
		`{"action":"back","timeout_ms":NaN}`: "the body is no good JSON: it breaks the JSON grammar, at byte 30",
		`{"action":"back","timeout_ms":12x}`: "the body is no good JSON: it breaks the JSON grammar, at byte 32",
		`{"action":"back","timeout_ms":+30}`: "the body is no good JSON: it breaks the JSON grammar, at byte 30",
		`{"action":"back"} // comment`:       "the body is no good JSON: something stands behind it, at byte 17",
		ok + ok:                              "the body is no good JSON: something stands behind it, at byte 17",
		ok + ` x`:                            "the body is no good JSON: something stands behind it, at byte 17",
		ok + "\x00":                          "the body is no good JSON: something stands behind it, at byte 17",
		"\xef\xbb\xbf" + ok:                  "the body is no good JSON: it begins with a byte order mark (BOM), which JSON must not have",
		"\xff\xfe{\x00":                      "the body is no good JSON: it is not valid UTF-8",
		`{"action":"back","session":"a` + "\xff\"}":                               "the body is no good JSON: it is not valid UTF-8",
		`{"action":"type","args":{"ref":"e1","text":"` + "\xed\xa0\x80" + `"}}`:   "the body is no good JSON: it is not valid UTF-8",
		"{\"action\":\"back\",\"session\":\"a\nb\"}":                              "the body is no good JSON: it breaks the JSON grammar, at byte 29",
		`{"action":"back","action":"back"}`:                                       "the body is no good JSON: a name stands twice in one JSON object, at byte 17",
		`{"action":"back","\u0061ction":"back"}`:                                  "the body is no good JSON: a name stands twice in one JSON object, at byte 17",
		`{"action":"back","args":{"tab":1,"tab":1}}`:                              "the body is no good JSON: a name stands twice in one JSON object, at byte 33",
		`{"action":"cdp","args":{"method":"A.b","params":{"a":[{"b":1,"b":1}]}}}`: "the body is no good JSON: a name stands twice in one JSON object, at byte 61",
	} {
		require.Equal(t, want, refused(t, body), "%q", body)
	}
}

func TestTheFieldsOfACommandAreChecked(t *testing.T) {
	for body, want := range map[string]string{
		`{}`:                                   `"action" is missing; it names what to do, such as "navigate"`,
		`{"session":"shop"}`:                   `"action" is missing; it names what to do, such as "navigate"`,
		`{"action":null}`:                      `"action" must be a string, not null`,
		`{"action":["back"]}`:                  `"action" must be a string, not an array`,
		`{"action":""}`:                        `"action" is "", which is no action; the actions are back, borrow,`,
		`{"action":"Back"}`:                    `"action" is "Back", which is no action; the actions are back, borrow,`,
		`{"action":"artifact_read"}`:           `"action" is "artifact_read", which is no action`,
		`{"action":"artifact_close"}`:          `"action" is "artifact_close", which is no action`,
		`{"action":"b\ud800"}`:                 `"action" holds a lone surrogate`,
		`{"action":"back","Action":"back"}`:    `"Action" is no field of a command; the fields are action, args, session, browser, id, timeout_ms`,
		`{"action":"back","timeout":30}`:       `"timeout" is no field of a command`,
		`{"action":"back","type":"request"}`:   `"type" is no field of a command`,
		`{"action":"back","args":null}`:        `"args" must be an object, not null`,
		`{"action":"back","args":[]}`:          `"args" must be an object, not an array`,
		`{"action":"back","args":"{}"}`:        `"args" must be an object, not a string`,
		`{"action":"back","args":{"tab":-1}}`:  `back: args.tab must be a whole number from 0 to 9007199254740992`,
		`{"args":{"url":5},"action":"goto"}`:   `navigate: args.url must be a string, not a number`,
		`{"action":"back","browser":"safari"}`: `"browser" must be "chrome" or "firefox", not "safari"`,
		`{"action":"back","browser":"Chrome"}`: `"browser" must be "chrome" or "firefox", not "Chrome"`,
		`{"action":"back","browser":null}`:     `"browser" must be a string, not null`,
		`{"action":"back","session":5}`:        `"session" must be a string, not a number`,
		`{"action":"back","session":null}`:     `"session" must be a string, not null`,
		`{"action":"back","id":1}`:             `"id" must be a string, not a number`,
		`{"action":"back","id":{}}`:            `"id" must be a string, not an object`,
		`{"action":"back","id":null}`:          `"id" must be a string, not null`,
	} {
		require.Contains(t, refused(t, body), want, body)
	}
}

// TestTimeouts is CMD-10: 1 to 120000 in plain digits.
func TestTimeouts(t *testing.T) {
	for _, ms := range []int64{1, 2, 999, 30000, 119999, 120000} {
		c := accepted(t, fmt.Sprintf(`{"action":"back","timeout_ms":%d}`, ms))
		require.Equal(t, time.Duration(ms)*time.Millisecond, c.Timeout)
	}
	for _, bad := range []string{
		"0", "-0", "-1", "120001", "1.0", "0.5", "1e3", "1E3", "30000.0", `"30"`, `""`, "null", "true", "[]", "{}",
		"2147483648", "9223372036854775807", "9223372036854775808", "99999999999999999999", "-99999999999999999999",
	} {
		require.Equal(t, `"timeout_ms" must be a whole number from 1 to 120000, the longest timeout`,
			refused(t, `{"action":"back","timeout_ms":`+bad+`}`), bad)
	}
}

// TestNesting is CMD-14: 64 levels, of which the envelope is the first.
func TestNesting(t *testing.T) {
	nested := func(arrays int) string {
		return `{"action":"cdp","args":{"method":"A.b","params":{"a":` + strings.Repeat("[", arrays) + strings.Repeat("]", arrays) + `}}}`
	}
	accepted(t, nested(61))
	require.Equal(t, "the body is no good JSON: its JSON nests deeper than 64 levels, at byte 114", refused(t, nested(62)))
	// The brackets within strings are no levels.
	accepted(t, `{"action":"cdp","args":{"method":"A.b","params":{"a":"`+strings.Repeat(`[{\"`, 200)+`"}}}`)
	for _, n := range []int{9_999, 10_001, 900_000} {
		start := time.Now()
		require.Contains(t, refused(t, `{"action":"back","ignored":`+strings.Repeat("[", n)+`}`), "nests deeper than 64 levels")
		require.Contains(t, refused(t, `{"action":"back","ignored":`+strings.Repeat(`{"a":`, n)), "nests deeper than 64 levels")
		require.Less(t, time.Since(start), time.Second)
	}
}

// TestLoneSurrogates: text of args passes byte for byte, names and what is
// compared may not hold one.
func TestLoneSurrogates(t *testing.T) {
	args := `{"ref":"e1","text":"a\ud800b \uDC00 \ud83d\ude00 \u00e9"}`
	require.Equal(t, args, string(accepted(t, `{"action":"type","args":`+args+`}`).Args))
	accepted(t, `{"action":"cdp","args":{"method":"A.b","params":{"\ud83d\ude00":1}}}`)
	for body, want := range map[string]string{
		`{"action":"back","session":"a\ud800"}`:                                  `"session" holds a lone surrogate`,
		`{"action":"back","session":"\udc00\ud800"}`:                             `"session" holds a lone surrogate`,
		`{"action":"back","id":"\ud800"}`:                                        `"id" holds a lone surrogate`,
		`{"action":"back","browser":"\ud800"}`:                                   `"browser" holds a lone surrogate`,
		`{"action":"back","\ud800":1}`:                                           `the body is no good JSON: a name holds a lone surrogate, at byte 17`,
		`{"action":"cdp","args":{"method":"A.b","params":{"a":[{"\udfff":1}]}}}`: `the body is no good JSON: a name holds a lone surrogate, at byte 55`,
	} {
		require.Equal(t, want, refused(t, body), body)
	}
}

// TestSessionNames holds C33: each name is refused up front or is itself.
func TestSessionNames(t *testing.T) {
	for _, name := range []string{
		"a", "__proto__", "constructor", "toString", "../../x", "a/b", `a\b`, ".", "..", "é", "e\u0301", "S1", "s1", "null", "0",
		strings.Repeat("x", 64), strings.Repeat("x", 128), strings.Repeat("ü", 64), "🦊", "a b", "a\u00a0b", "\u200d", "\u200f",
		"\u2029a", "\u2065", "\u206a", "\u202f!",
	} {
		if name == "\u2029a" || name == "\u202f!" {
			require.Error(t, protocol.CheckSession(name, limits), "%q", name) // A blank at its beginning.
			continue
		}
		require.Equal(t, name, accepted(t, fmt.Sprintf(`{"action":"back","session":%s}`, jsonText(name))).Session)
	}
	for name, want := range map[string]string{
		``:                            `"session" must not be empty`,
		` `:                           `"session" must not begin or end with a blank`,
		` a`:                          `"session" must not begin or end with a blank`,
		`a `:                          `"session" must not begin or end with a blank`,
		`a\u00a0`:                     `"session" must not begin or end with a blank`,
		`\u3000a`:                     `"session" must not begin or end with a blank`,
		`a\u0000b`:                    `"session" must not hold the control character U+0000`,
		`a\nb`:                        `"session" must not hold the control character U+000A`,
		`a\u001fb`:                    `"session" must not hold the control character U+001F`,
		`a\u007fb`:                    `"session" must not hold the control character U+007F`,
		`a\u0080b`:                    `"session" must not hold the control character U+0080`,
		`a\u009fb`:                    `"session" must not hold the control character U+009F`,
		`a\u202ab`:                    `"session" must not hold the bidirectional control U+202A`,
		`\u202ex`:                     `"session" must not hold the bidirectional control U+202E`,
		`a\u2066b`:                    `"session" must not hold the bidirectional control U+2066`,
		`a\u2069b`:                    `"session" must not hold the bidirectional control U+2069`,
		strings.Repeat("x", 129):      `"session" must have at most 128 bytes, and has 129`,
		strings.Repeat("ü", 64) + "x": `"session" must have at most 128 bytes, and has 129`,
		strings.Repeat("x", 10000):    `"session" must have at most 128 bytes, and has 10000`,
	} {
		require.Equal(t, want, refused(t, `{"action":"back","session":"`+name+`"}`), "%.50s", name)
	}
}

// TestIDs holds C18: an id is text, and comes back as it was.
func TestIDs(t *testing.T) {
	for _, id := range []string{"1", "9007199254740993", "null", " ", "!~", `a\"b`, strings.Repeat("x", 128)} {
		c := accepted(t, `{"action":"back","id":"`+id+`"}`)
		require.Equal(t, strings.ReplaceAll(id, `\`, ""), c.ID)
	}
	for id, want := range map[string]string{
		``:                          `"id" must not be empty`,
		strings.Repeat("x", 129):    `"id" must have at most 128 characters, and has 129`,
		strings.Repeat("x", 10<<10): `"id" must have at most 128 characters, and has 10240`,
		`a\u001f`:                   `"id" must hold printable ASCII characters alone`,
		`a\u007f`:                   `"id" must hold printable ASCII characters alone`,
		`ä`:                         `"id" must hold printable ASCII characters alone`,
		`a\n`:                       `"id" must hold printable ASCII characters alone`,
	} {
		require.Equal(t, want, refused(t, `{"action":"back","id":"`+id+`"}`), "%.50s", id)
	}
	for _, id := range []string{"1", "1.5", "-0", "1e2", "9007199254740992", "true", "[1]"} {
		require.Contains(t, refused(t, `{"action":"back","id":`+id+`}`), `"id" must be a string, not `)
	}
}

func TestEveryNameAndAliasIsAnAction(t *testing.T) {
	names := map[string]bool{}
	for _, a := range protocol.Actions() {
		for _, name := range append([]string{a.Name}, a.Aliases...) {
			require.False(t, names[name], name)
			names[name] = true
			got, ok := protocol.LookupAction(name)
			require.True(t, ok)
			require.Same(t, a, got)
		}
	}
	for alias, name := range map[string]string{
		"open": "navigate", "goto": "navigate", "fill": "type", "press_key": "press", "select_option": "select",
		"save_as_pdf": "pdf", "list_tabs": "tabs",
	} {
		require.Equal(t, name, action(t, alias).Name)
	}
	_, ok := protocol.LookupAction("")
	require.False(t, ok)
}

// TestWhatActionsAre fixes what the daemon decides by an action's kind.
func TestWhatActionsAre(t *testing.T) {
	var names, reserved, free, chrome, internal []string
	for _, a := range everyAction(t) {
		names = append(names, a.Name)
		if a.Reserved {
			reserved = append(reserved, a.Name)
		}
		if !a.Binds {
			free = append(free, a.Name)
		}
		if a.ChromeOnly {
			chrome = append(chrome, a.Name)
		}
		if a.Internal {
			internal = append(internal, a.Name)
		}
	}
	require.Equal(t, strings.Fields(`back borrow cdp cdp_detach check click close_session close_tab console cookies dblclick
		dialog downloads drag evaluate extract focus forward frame headers hover navigate network pdf presets press release
		reload screenshot scroll select sessions snapshot status switch_tab tabs type upload wait artifact_read artifact_close`), names)
	require.Equal(t, []string{"cdp_detach", "close_session", "dialog", "artifact_close"}, reserved)
	require.Equal(t, []string{"close_session", "sessions", "status", "tabs", "artifact_read", "artifact_close"}, free)
	require.Equal(t, []string{"cdp", "cdp_detach"}, chrome)
	require.Equal(t, []string{"artifact_read", "artifact_close"}, internal)
}
