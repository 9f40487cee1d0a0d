package client_test

import (
	"context"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// calls has a call of every action, with the arguments as the wire must carry
// them and data as the schema has it.
func calls() []call {
	tab := new(int64(12))
	ref := client.ClickArgs{Ref: "@e5"}
	return []call{
		{"back", client.BackArgs{Tab: tab}, `{"tab":12}`, `{"tab":12,"url":"u","title":"t"}`},
		{"forward", client.ForwardArgs{}, `{}`, `{"tab":12,"url":"u","title":"t"}`},
		{"reload", client.ReloadArgs{}, `{}`, `{"tab":12,"url":"u","title":"t"}`},
		{
			"navigate",
			client.NavigateArgs{URL: "https://example.com/?a=1&b=<2>", NewTab: true, Wait: client.NavigateWaitDOMContentLoaded, GroupTitle: new("")},
			`{"url":"https://example.com/?a=1&b=<2>","new_tab":true,"wait":"domcontentloaded","group_title":""}`,
			`{"tab":12,"url":"u","title":"t","status":200}`,
		},
		{"snapshot", client.SnapshotArgs{Interactive: true}, `{"interactive":true}`, `{"text":"- a","nodes":1,"truncated":false,"url":"u","title":"t"}`},
		{"click", ref, `{"ref":"@e5"}`, `{"dialog":{"type":"alert","message":"m"}}`},
		{
			"dblclick",
			client.DblClickArgs{Selector: "#a > b", Button: client.ButtonRight, Modifiers: []client.Modifier{client.ModifierShift}},
			`{"selector":"#a > b","button":"right","modifiers":["Shift"]}`, `{}`,
		},
		{"hover", client.HoverArgs{Ref: "e1"}, `{"ref":"e1"}`, `{}`},
		{"focus", client.FocusArgs{Ref: "e1"}, `{"ref":"e1"}`, `{}`},
		{"type", client.TypeArgs{Ref: "e1", Mode: client.TypeModeReplace}, `{"ref":"e1","text":"","mode":"replace"}`, `{}`},
		{"press", client.PressArgs{Key: "Enter"}, `{"key":"Enter"}`, `{}`},
		{"select", client.SelectArgs{Ref: "e1"}, `{"ref":"e1","values":[]}`, `{"selected":["a"]}`},
		{"check", client.CheckArgs{Ref: "e1", Checked: new(false)}, `{"ref":"e1","checked":false}`, `{"checked":false}`},
		{"scroll", client.ScrollArgs{Direction: client.ScrollDirectionDown, Amount: 0.5}, `{"direction":"down","amount":0.5}`, `{"scrolled":0,"at_boundary":true}`},
		{"drag", client.DragArgs{From: "e1", To: "e2"}, `{"from":"e1","to":"e2"}`, `{}`},
		{"upload", client.UploadArgs{Ref: "e1", Files: []string{"/a"}}, `{"ref":"e1","files":["/a"]}`, `{"names":["a"]}`},
		{"dialog", client.DialogArgs{Text: new("")}, `{"accept":false,"text":""}`, `{"type":"prompt","message":"m"}`},
		{"evaluate", client.EvaluateArgs{Code: "1", Await: new(false)}, `{"code":"1","await":false}`, `{"value":null}`},
		{"frame", client.FrameArgs{}, `{}`, `{"frame":null}`},
		{"wait", client.WaitArgs{MS: new(int64(0))}, `{"ms":0}`, `{"waited_ms":0.5}`},
		{"extract", client.ExtractArgs{Refs: []string{"e1"}, Format: client.ExtractFormatHTML}, `{"refs":["e1"],"format":"html"}`, `{"items":[{"content":"c"}]}`},
		{
			"screenshot",
			client.ScreenshotArgs{Path: "/a.jpg", Format: client.ScreenshotFormatJPEG, Quality: new(int64(0)), FullPage: true},
			`{"path":"/a.jpg","format":"jpeg","quality":0,"full_page":true}`, `{"path":"/a.jpg","bytes":1,"width":1,"height":1}`,
		},
		{
			"pdf",
			client.PDFArgs{Path: "/a.pdf", Scale: 0.5, Paper: client.PDFPaperA3, Margins: &client.PDFMargins{Top: new(0.0)}},
			`{"path":"/a.pdf","scale":0.5,"paper":"A3","margins":{"top":0}}`, `{"path":"/a.pdf","bytes":1,"pages":1}`,
		},
		{"network", client.NetworkList{Filter: "api", Since: new(int64(0))}, `{"cmd":"list","filter":"api","since":0}`, `{"entries":[{"id":"1","url":"u","method":"GET"}],"next":1}`},
		{"network", client.NetworkBody{ID: "1"}, `{"cmd":"body","id":"1"}`, `{"body":"b","encoding":"text"}`},
		{"network", client.NetworkClear{}, `{"cmd":"clear"}`, `{}`},
		{"console", client.ConsoleList{Level: client.ConsoleLevelWarn, Limit: 5}, `{"cmd":"list","level":"warn","limit":5}`, `{"records":[{"level":"error","text":"x","line":0}]}`},
		{"console", client.ConsoleClear{Tab: tab}, `{"cmd":"clear","tab":12}`, `{}`},
		{"presets", client.PresetsList{}, `{"cmd":"list"}`, `{"rules":[]}`},
		{
			"presets",
			client.PresetsSet{Rules: []client.PresetRule{{URL: "*.png", Block: true}, {URL: "a", Redirect: "b", Types: []client.PresetRuleType{client.PresetRuleTypeXHR}}}},
			`{"cmd":"set","rules":[{"url":"*.png","block":true},{"url":"a","types":["xhr"],"redirect":"b"}]}`, `{"rules":[{"url":"a"}]}`,
		},
		{"presets", client.PresetsClear{}, `{"cmd":"clear"}`, `{"rules":[]}`},
		{"headers", client.HeadersList{}, `{"cmd":"list"}`, `{"rules":[]}`},
		{
			"headers",
			client.HeadersSet{Rules: []client.HeaderRule{{URL: "a", Request: client.HeaderChanges{"X-A": new("1"), "X-B": nil}}}},
			`{"cmd":"set","rules":[{"url":"a","request":{"X-A":"1","X-B":null}}]}`, `{"rules":[]}`,
		},
		{"headers", client.HeadersClear{}, `{"cmd":"clear"}`, `{"rules":[]}`},
		{"cookies", client.CookiesGet{Name: "a"}, `{"cmd":"get","name":"a"}`, `{"cookies":[{"name":"a","value":"b"}]}`},
		{
			"cookies",
			client.CookiesSet{Name: "a", Secure: new(false), SameSite: client.CookiesSameSiteLax, Expires: new(0.0)},
			`{"cmd":"set","name":"a","value":"","secure":false,"same_site":"lax","expires":0}`, `{"cookies":[]}`,
		},
		{"cookies", client.CookiesClear{}, `{"cmd":"clear"}`, `{"cookies":[]}`},
		{"downloads", client.DownloadsList{}, `{"cmd":"list"}`, `{"downloads":[{"id":0,"url":"u","state":"complete"}]}`},
		{"downloads", client.DownloadsWait{ID: new(int64(0))}, `{"cmd":"wait","id":0}`, `{"downloads":[]}`},
		{"downloads", client.DownloadsCancel{}, `{"cmd":"cancel","id":0}`, `{"downloads":[]}`},
		{"tabs", client.TabsArgs{All: true}, `{"all":true}`, `{"tabs":[{"tab":12,"url":"u","title":"t","window":0}]}`},
		{"borrow", client.BorrowArgs{}, `{}`, `{"tabs":[]}`},
		{"release", client.ReleaseArgs{}, `{}`, `{"tabs":[]}`},
		{"close_tab", client.CloseTabArgs{}, `{}`, `{"tabs":[]}`},
		{"switch_tab", client.SwitchTabArgs{}, `{"tab":0}`, `{"tabs":[]}`},
		{"sessions", nil, `{}`, `{"sessions":[{"session":"shop","tabs":0}]}`},
		{"status", nil, `{}`, `{"browser":"firefox","file_access":false}`},
		{"close_session", nil, `{}`, `{"closed":[1],"released":[]}`},
		{"cdp", client.CDPArgs{Method: "Page.enable", Params: json.RawMessage(`{"a":"\ud800"}`)}, `{"method":"Page.enable","params":{"a":"\ud800"}}`, `{"result":{"b":1}}`},
		{"cdp_detach", client.CDPDetachArgs{}, `{}`, `{}`},
	}
}

type call struct {
	action     string
	args       any
	want, data string
}

// methodOf returns the method of Session for an action: its name without case
// and underscores.
func methodOf(t *testing.T, s client.Session, action string) reflect.Value {
	t.Helper()
	v := reflect.ValueOf(s)
	for i := range v.NumMethod() {
		if strings.EqualFold(v.Type().Method(i).Name, strings.ReplaceAll(action, "_", "")) {
			return v.Method(i)
		}
	}
	t.Fatalf("no method for %s", action)
	return reflect.Value{}
}

// Every action has a method that sends what the daemon accepts, and reads what
// the daemon may answer without losing anything.
func TestEveryActionHasATypedCall(t *testing.T) {
	missing := map[string]bool{}
	for _, a := range protocol.Actions() {
		missing[a.Name] = true
	}
	for _, tc := range calls() {
		delete(missing, tc.action)
		t.Run(tc.action, func(t *testing.T) {
			a, ok := protocol.LookupAction(tc.action)
			require.True(t, ok)
			require.NoError(t, a.CheckAnswer([]byte(tc.data)), "the data of this test")
			var got protocol.Command
			c := serve(t, proving(commands(t, func(c protocol.Command) string {
				got = c
				return tc.data
			})))
			m := methodOf(t, c.Session("shop").On(protocol.Firefox).Within(5*time.Second), tc.action)
			in := []reflect.Value{reflect.ValueOf(within(t, 20*time.Second))}
			if tc.args != nil {
				in = append(in, reflect.ValueOf(tc.args))
			}
			out := m.Call(in)
			require.Nil(t, out[1].Interface())
			require.Equal(t, tc.action, got.Action.Name)
			require.Equal(t, "shop", got.Session)
			require.Equal(t, protocol.Firefox, got.Browser)
			require.InDelta(t, 5*time.Second, got.Timeout, float64(3*time.Second))
			require.JSONEq(t, tc.want, string(got.Args))
			if strings.Contains(tc.want, `\ud800`) {
				require.Equal(t, tc.want, string(got.Args), "JSON of the caller is not touched")
			}
			back, err := json.Marshal(out[0].Interface())
			require.NoError(t, err)
			lost(t, tc.data, string(back))
		})
	}
	require.Empty(t, missing, "actions without a call in this test")
}

// lost fails if a member of want is not in got. A false or an empty list that
// was left out is not lost.
func lost(t *testing.T, want, got string) {
	t.Helper()
	var w, g map[string]any
	require.NoError(t, json.Unmarshal([]byte(want), &w))
	require.NoError(t, json.Unmarshal([]byte(got), &g))
	for name, v := range w {
		if v != false {
			require.Equal(t, v, g[name], name)
		}
	}
}

func TestErrorOfATypedCall(t *testing.T) {
	c := serve(t, answering(200, `{"id":"1","ok":false,"error":{"code":"no_tab","message":"open one"}}`))
	d, err := c.Session("shop").Navigate(within(t, 5*time.Second), client.NavigateArgs{URL: "u"})
	require.Equal(t, protocol.NoTab, wire(t, err).Code)
	require.Zero(t, d)
}

// Data that does not fit says ok all the same: what happened in the page
// happened, so that it must not look like a definite failure.
func TestDataThatCannotBeRead(t *testing.T) {
	c := serve(t, answering(200, `{"id":"1","ok":true,"data":{"tab":"twelve"}}`))
	d, err := c.Session("shop").Navigate(within(t, 5*time.Second), client.NavigateArgs{URL: "u"})
	require.Equal(t, protocol.OutcomeUnknown, wire(t, err).Code)
	require.Zero(t, d)
}

func TestSessionsAreValues(t *testing.T) {
	c, err := client.New(client.Options{Token: token})
	require.NoError(t, err)
	require.Equal(t, protocol.DefaultSession, c.Session("").Name())
	shop := c.Session("shop")
	_ = shop.On(protocol.Chrome).Within(time.Second)
	require.Equal(t, c.Session("shop"), shop)
	require.Equal(t, "shop", shop.Name())
}

func TestPicture(t *testing.T) {
	b, err := client.ScreenshotData{Base64: "aGk="}.Picture()
	require.NoError(t, err)
	require.Equal(t, "hi", string(b))
	_, err = client.ScreenshotData{Base64: "a"}.Picture()
	require.Error(t, err)
}

func TestParallelCommands(t *testing.T) {
	c := serve(t, proving(commands(t, func(c protocol.Command) string {
		return `{"value":"` + c.Session + `"}`
	})))
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	errs := make(chan error)
	for i := range 64 {
		go func() {
			name := "s" + itoa(i)
			d, err := c.Session(name).Evaluate(ctx, client.EvaluateArgs{Code: "1"})
			if err == nil && string(d.Value) != `"`+name+`"` {
				err = context.DeadlineExceeded
			}
			errs <- err
		}()
	}
	for range 64 {
		require.NoError(t, <-errs)
	}
}
