package redact

import (
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestWhatIsRemovedFromCommands(t *testing.T) {
	for _, c := range []struct{ name, action, args, want string }{
		{"typed", "type", `{"ref":"@e5","text":"hunter2"}`, `{"ref":"@e5","text":"xxxxxxx"}`},
		{"typed, short", "type", `{"text":"a1"}`, `{"text":"xx"}`},
		{"typed, nothing", "type", `{"text":""}`, `{"text":""}`},
		{"typed, bytes and not characters", "type", `{"text":"naïve"}`, `{"text":"xxxxxx"}`},
		{"typed, a lone surrogate", "type", `{"text":"\ud800abc"}`, `{"text":"xxxxxx"}`},
		{"dialog", "dialog", `{"accept":true,"text":"hunter2"}`, `{"accept":true,"text":"xxxxxxx"}`},
		{"an upload", "upload", `{"files":[{"name":"a.txt","base64":"c2VjcmV0"}]}`, `{"files":[{"name":"a.txt","base64":"xxxxxxxx"}]}`},
		{"a character", "press", `{"key":"h"}`, `{"key":"x"}`},
		{"a character of two bytes", "press", `{"key":"ü"}`, `{"key":"x"}`},
		{"a key", "press", `{"key":"Enter"}`, `{"key":"Enter"}`},
		{"a cookie", "cookies", `{"cmd":"set","name":"sid","value":"s3cr3t"}`, `{"cmd":"set","name":"sid","value":"xxxxxx"}`},
		{"headers", "headers", `{"rules":[{"url":"*","request":{"X-Key":"s3cr3t","A":null},"response":{"B":"s3cr3t"}}]}`, `{"rules":[{"url":"*","request":{"X-Key":"xxxxxx","A":null},"response":{"B":"xxxxxx"}}]}`},
		{"options", "select", `{"values":["green"]}`, `{"values":["green"]}`},
		{"code", "evaluate", `{"code":"document.title"}`, `{"code":"document.title"}`},
		{"cdp", "cdp", `{"method":"Input.insertText","params":{"text":"hunter2","key":"q","headers":{"A":{"B":"s3"}},"cookies":[{"value":"v"}],"url":"u"}}`, `{"method":"Input.insertText","params":{"text":"xxxxxxx","key":"x","headers":{"A":{"B":"xx"}},"cookies":[{"value":"x"}],"url":"u"}}`},
		{"a password in a URL", "navigate", `{"url":"https://me:pw@host/a:b@c"}`, `{"url":"https://me:xx@host/a:b@c"}`},
		{"parameters of a URL", "navigate", `{"url":"https://h/?q=1&access_token=abc#sid=z"}`, `{"url":"https://h/?q=1&access_token=xxx#sid=x"}`},
		{"blanks stay", "type", "{ \"text\" : \"hunter2\",\n\"ref\":\"e1\" }", "{ \"text\" : \"xxxxxxx\",\n\"ref\":\"e1\" }"},
		{"the same name elsewhere", "extract", `{"text":"hunter2","value":"v"}`, `{"text":"hunter2","value":"v"}`},
		{"what is no JSON", "type", `{"text":"hunter2"`, `{"text":"xxxxxxx"`},
	} {
		s := New()
		s.LearnArgs(c.action, []byte(c.args))
		require.Equal(t, c.want, string(s.Args(c.action, []byte(c.args))), c.name)
	}
}

func TestWhatIsRemovedFromResults(t *testing.T) {
	for _, c := range []struct{ action, data, want string }{
		{"cookies", `{"cookies":[{"name":"a","value":"s3cr3t"},{"name":"b","value":""}]}`, `{"cookies":[{"name":"a","value":"xxxxxx"},{"name":"b","value":""}]}`},
		{"network", `{"body":"{}","entries":[{"url":"https://h/?token=abc"}]}`, `{"body":"xx","entries":[{"url":"https://h/?token=xxx"}]}`},
		{"screenshot", `{"base64":"AAAA","width":1}`, `{"base64":"xxxx","width":1}`},
		{"cdp", `{"result":{"data":"AAAA","value":1}}`, `{"result":{"data":"xxxx","value":1}}`},
		{"downloads", `{"downloads":[{"filename":"C:\\Users\\me\\a.pdf"},{"filename":"/home/me/b.pdf"}]}`, `{"downloads":[{"filename":"/a.pdf"},{"filename":"/b.pdf"}]}`},
		{"snapshot", `{"text":"- button \"Buy\""}`, `{"text":"- button \"Buy\""}`},
	} {
		s := New()
		s.LearnData(c.action, []byte(c.data))
		require.Equal(t, c.want, string(s.Data(c.action, []byte(c.data))), c.action)
	}
}

func TestASecretIsRemovedWhereverItStands(t *testing.T) {
	s := New()
	s.Learn("hunter two&")
	s.Learn("1234")
	s.Learn("123")
	for in, want := range map[string]string{
		`{"a":"say hunter two& now"}`:                        `{"a":"say xxxxxxxxxxx now"}`,
		`{"hunter two&":["hunter%20two&",1]}`:                `{"xxxxxxxxxxx":["xxxxxxxxxxxxx",1]}`,
		`{"a":"?q=hunter+two%26&b=1","b":"hunter two&amp;"}`: `{"a":"?q=xxxxxxxxxxxxx&b=1","b":"xxxxxxxxxxxxxxx"}`,
		`{"a":1234,"b":123,"c":51234.5,"tab":1234}`:          `{"a":1111,"b":123,"c":1111111,"tab":1234}`,
		`{"a":"1234 and 123"}`:                               `{"a":"xxxx and 123"}`,
		`{"a":"\u0068unter two& \ud800"}`:                    `{"a":"xxxxxxxxxxx ` + "\uFFFD" + `"}`,
		`{"a":"\ud800"}`:                                     `{"a":"\ud800"}`,
		`{"a":"hunter two`:                                   `{"x":"xxxxxx xxx`,
		`{"text":"hunter two&, 1`:                            `{"text":"xxxxxx xxx&, x`,
	} {
		require.Equal(t, want, string(s.JSON([]byte(in))), in)
	}
	require.Equal(t, "xxxx is xxxxxxxxxxx", s.Text("1234 is hunter two&"))
}

func TestAWordOfTheProtocolIsNoSecretInItsPlace(t *testing.T) {
	s := New()
	s.LearnArgs("type", []byte(`{"text":"click"}`))
	require.Equal(t, `{"action":"click","a":"xxxxx here"}`, string(s.JSON([]byte(`{"action":"click","a":"click here"}`))))
	require.Equal(t, `{"text":"xxxxx"}`, string(s.Args("type", []byte(`{"text":"click"}`))))
}

func TestTheEdgeOfWhatIsSwept(t *testing.T) {
	s := New()
	s.Learn("abc")
	require.Equal(t, "abc", s.Text("abc"), "three characters are removed in their own place alone")
	require.Equal(t, "xxx", s.Place("abc"))
	s.Learn("ab c")
	require.Equal(t, "xxxx", s.Text("ab c"))
	s.Learn(" abc ")
	require.Equal(t, " abc ", s.Text(" abc "), "blanks around it are no characters of it")
}

func TestWhatStandsForASecretIsNone(t *testing.T) {
	s := New()
	s.Learn("xxxxy")
	s.Learn("axxx")
	require.Equal(t, "xxxxx", s.Text("xxxxy"))
	require.NotContains(t, s.Text("xxxxyaxxxy"), "xxxxy")
	s.Learn("yyyyyyyy")
	s.Learn("xxx")
	s.LearnArgs("type", []byte(`{"text":"yyyyy"}`))
	require.Equal(t, "xxxxx", s.Text("yyyyy"))
	require.Equal(t, `{"text":"xxxx"}`, string(s.Args("type", []byte(`{"text":"xxxx"}`))), "what stands for a secret stays")
}

// Whatever the secrets are and wherever they are put, none of them comes out.
func TestNoSecretComesOut(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune(`abcx "\/<&%+é日😀`+"\n")), 1, 12, -1)
	long := text.Filter(func(s string) bool { return len([]rune(strings.TrimSpace(s))) >= leastSwept })
	write := []func(string) string{
		func(s string) string { return s },
		url.QueryEscape, url.PathEscape, html.EscapeString,
		func(s string) string { return strings.Join(strings.Fields(s), " ") },
		func(s string) string { b, _ := json.Marshal(s); return string(b) },
	}
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(long, 1, 4).Draw(t, "secrets")
		s := New()
		for _, one := range secrets {
			s.Learn(one)
		}
		var all strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			one := rapid.SampledFrom(secrets).Draw(t, "secret")
			all.WriteString(rapid.SampledFrom(write).Draw(t, "write")(one) + text.Draw(t, "between"))
		}
		in, err := json.Marshal(map[string]any{all.String(): []any{all.String(), 1}})
		require.NoError(t, err)
		var out map[string][]any
		cleaned := s.JSON(in)
		require.NoError(t, json.Unmarshal(cleaned, &out), "it stays JSON: %s", cleaned)
		for name, values := range out {
			for _, one := range secrets {
				require.NotContains(t, name, one)
				require.NotContains(t, values[0], one)
			}
		}
		require.Equal(t, string(cleaned), string(s.JSON(in)), "the same each time")
	})
}

func TestAWholeCommand(t *testing.T) {
	for in, want := range map[string]string{
		`{"action":"fill","session":"hunter2","args":{"ref":"e1","text":"hunter2"},"x":"hunter2"}`: `{"action":"fill","session":"xxxxxxx","args":{"ref":"e1","text":"xxxxxxx"},"x":"xxxxxxx"}`,
		`{"args":{"text":"ab"},"action":"type"}`:                                                   `{"args":{"text":"xx"},"action":"type"}`,
		`{"action":"type","args":{"text":"hunter2"`:                                                `{"action":"type","args":{"text":"xxxxxxx"`,
		`{"action":"type","args":{"text":"hunter2"},`:                                              `{"action":"type","args":{"text":"xxxxxxx"},`,
		`{"action":"type"}`:       `{"action":"type"}`,
		`{"action":7,"args":[1]}`: `{"action":7,"args":[1]}`,
		`["type"]`:                `["type"]`,
	} {
		s := New()
		s.LearnCommand([]byte(in))
		require.Equal(t, want, string(s.Command([]byte(in))), in)
	}
}

func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a":["hunter2",{"b":1}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		s := New()
		s.Learn("hunter2")
		s.LearnArgs("cdp", in)
		out := s.Args("headers", in)
		if json.Valid(in) {
			require.True(t, json.Valid(out), "%q", out)
		}
		require.NotContains(t, string(out), "hunter2")
	})
}
