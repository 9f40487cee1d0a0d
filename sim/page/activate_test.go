package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/page"
)

// What a click does and what is counted of it: HTML, 6.4 and the activation
// behaviours of section 4.
func TestWhatAClickDoes(t *testing.T) {
	for name, c := range map[string]struct{ html, kinds string }{
		"nothing":            {`<p id=x>a</p>`, "click"},
		"a button":           {`<button id=x type=button>a</button>`, "focus click"},
		"a checkbox":         {`<input type=checkbox id=x>`, "focus click input change"},
		"a checked radio":    {`<input type=radio id=x checked>`, "focus click"},
		"a radio":            {`<input type=radio id=x>`, "focus click input change"},
		"a label":            {`<label id=x for=y>a</label><input id=y type=checkbox>`, "click focus click input change"},
		"a label around":     {`<label><span id=x>a</span><input type=checkbox></label>`, "click focus click input change"},
		"a control in it":    {`<label><input type=checkbox id=x></label>`, "focus click input change"},
		"a button in it":     {`<label><button id=x type=button>b</button><input type=checkbox></label>`, "focus click"},
		"a label of none":    {`<label id=x for=none>a</label>`, "click"},
		"a disabled control": {`<label id=x>a <input type=checkbox disabled></label>`, "click click"},
		"summary":            {`<details><summary id=x>a</summary></details>`, "focus click toggle"},
		"reset":              {`<form><button id=x type=reset>a</button></form>`, "focus click reset"},
		"prevented":          {`<input type=checkbox id=x onclick="return false">`, "focus click"},
		"prevented outside":  {`<div onclick="event.preventDefault()"><a href=/b id=x>a</a></div>`, "focus click"},
		"a link":             {`<a href=/b id=x>a</a>`, "focus click navigate"},
		"in a link":          {`<a href=/b><b id=x>a</b></a>`, "focus click navigate"},
		"a fragment":         {`<a href=#y id=x>a</a><p id=y>`, "focus click navigate"},
		"a new tab":          {`<a href=/b target=_blank id=x>a</a>`, "focus click tab_opened navigate"},
		"a file":             {`<a href=/b download=f.txt id=x>a</a>`, "focus click download"},
		"no link":            {`<a id=x>a</a>`, "click"},
		"mailto":             {`<a href=mailto:a@b id=x>a</a>`, "focus click"},
		"a popover":          {`<button id=x popovertarget=p>a</button><div id=p popover>b</div>`, "focus click toggle"},
		"a modal dialog":     {`<button id=x commandfor=p command=show-modal>a</button><dialog id=p>b</dialog>`, "focus click toggle"},
		"an option":          {`<select size=2><option>a<option id=x>b</select>`, "focus click input change"},
		"the console":        {`<button type=button id=x onclick="console.log('a')">a</button>`, "focus click"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := visit(t, c.html)
			from := a.tabs.Count()
			a.click("#x")
			require.Equal(t, c.kinds, a.kinds(from), "%v", a.tabs.Effects())
		})
	}
}

// What cannot be acted on says why, and nothing happens.
func TestWhatIsNotActionable(t *testing.T) {
	for name, c := range map[string]struct{ html, why string }{
		"nothing":             {``, "nothing matches it"},
		"hidden":              {`<button id=x hidden>a</button>`, "it is hidden"},
		"in something hidden": {`<div id=y hidden><button id=x>a</button></div>`, "it is in <div#y>: it is hidden"},
		"type hidden":         {`<input id=x type=hidden>`, "type hidden"},
		"display":             {`<button id=x style="color: red; DISPLAY: none">a</button>`, "display: none"},
		"a style sheet":       {`<style>@media print{#x{display:block}} .a .b{display:none}</style><p class=a><button class=b id=x>a</button></p>`, "display: none"},
		"visibility":          {`<div style="visibility:hidden"><button id=x>a</button></div>`, "visibility: hidden"},
		"details":             {`<details><button id=x>a</button></details>`, "the details are closed"},
		"dialog":              {`<dialog><button id=x>a</button></dialog>`, "the dialog is not open"},
		"popover":             {`<div popover><button id=x>a</button></div>`, "the popover is not shown"},
		"template":            {`<noscript><button id=x>a</button></noscript>`, ""},
		"disabled":            {`<button id=x disabled>a</button>`, "it is disabled"},
		"fieldset":            {`<fieldset id=f disabled><button id=x>a</button></fieldset>`, "it is disabled by <fieldset#f>"},
		"aria-disabled":       {`<div aria-disabled=true><button id=x>a</button></div>`, "it is disabled by <div>"},
		"inert":               {`<div inert><button id=x>a</button></div>`, "inert"},
		"a modal dialog":      {`<button id=x>a</button><dialog id=d></dialog><script>document.getElementById('d').showModal()</script>`, "covered by the modal dialog <dialog#d>"},
		"an option":           {`<select><option id=x>a</select>`, "its list is closed"},
	} {
		t.Run(name, func(t *testing.T) {
			a, _ := visit(t, c.html)
			from := a.tabs.Count()
			a.fails("click", on("#x"), "not_actionable", c.why)
			require.Empty(t, a.kinds(from))
		})
	}
	a, _ := visit(t, `<div style="visibility:hidden"><button id=x style="visibility:visible">a</button></div><div hidden style="display:block"><button id=y>b</button></div>`)
	a.click("#x")
	a.click("#y")
	a.fails("click", on("a["), "bad_request", "neither a reference")
}

func TestRadiosOfAGroup(t *testing.T) {
	a, site := visit(t, `<form action=/go><input type=radio name=r value=1 checked id=a><input type=radio name=r value=2 id=b><button id=x>Go</button></form>
<form><input type=radio name=r value=3 checked id=c></form>`)
	a.click("#b")
	require.Equal(t, `{"checked":true}`, a.ok("check", on("#c")), "another form, another group")
	a.fails("check", on("#b", `"checked":false`), "not_actionable", "radio button")
	a.click("#x")
	require.Equal(t, "http://shop.test/go?r=2", site.last(t).URL)
}

func TestResetGivesTheFirstStateBack(t *testing.T) {
	a, site := visit(t, `<form action=/go><input name=a value=1 id=a><input type=checkbox name=b checked id=b><select name=c id=c><option>1<option selected>2</select>
<textarea name=d id=d>x</textarea><button type=reset id=r>R</button><button id=x>Go</button></form>`)
	a.typing("#a", "9")
	a.typing("#d", "")
	a.ok("check", on("#b", `"checked":false`))
	require.Equal(t, `{"selected":["1"]}`, a.ok("select", on("#c", `"values":["1"]`)))
	a.click("#r")
	a.click("#x")
	require.Equal(t, "http://shop.test/go?a=1&b=on&c=2&d=x", site.last(t).URL)
}

func TestSelect(t *testing.T) {
	a, _ := visit(t, `<select id=one><option value=1>One<option value=2 disabled>Two</select><select id=many multiple><option>a<option>b<option>c</select><input id=i>`)
	require.Equal(t, `{"selected":["1"]}`, a.ok("select", on("#one", `"values":["One"]`)), "by its label")
	a.fails("select", on("#one", `"values":["3"]`), "not_actionable", `no option "3"; it has ["1" "2"]`)
	a.fails("select", on("#one", `"values":["2"]`), "not_actionable", "disabled")
	a.fails("select", on("#one", `"values":["1","2"]`), "bad_request", "one option")
	a.fails("select", on("#i", `"values":["1"]`), "not_actionable", "no select element")
	require.Equal(t, `{"selected":["a","c"]}`, a.ok("select", on("#many", `"values":["c","a"]`)))
	from := a.tabs.Count()
	require.Equal(t, `{"selected":["a","c"]}`, a.ok("select", on("#many", `"values":["c","a"]`)))
	require.Empty(t, a.kinds(from), "no change, no event")
	require.Equal(t, `{"selected":[]}`, a.ok("select", on("#many", `"values":[]`)))
}

func TestTyping(t *testing.T) {
	a, _ := visit(t, `<input id=t value=a><input id=n type=number><input id=d type=date><input id=r type=range min=0 max=10 step=5>
<textarea id=a></textarea><div id=e contenteditable>old <b id=b>x</b></div><input id=c type=checkbox><input id=ro readonly><label id=l>L <input></label>`)
	value := func(css string) string {
		return a.ok("extract", on(css))
	}
	a.ok("type", on("#t", `"text":"b\nc"`, `"mode":"append"`))
	require.Equal(t, `{"items":[{"content":"ab c"}]}`, value("#t"))
	a.typing("#t", "")
	require.Equal(t, `{"items":[{"content":""}]}`, value("#t"))
	a.typing("#n", "1x2")
	require.Equal(t, `{"items":[{"content":"12"}]}`, value("#n"))
	a.typing("#d", "2024-02-29")
	a.fails("type", on("#d", `"text":"2023-02-29"`), "bad_request", "no value of an input of type date")
	a.typing("#r", "5")
	a.fails("type", on("#r", `"text":"7"`), "bad_request", "it takes 5")
	a.typing("#a", "x\r\ny")
	require.Equal(t, `{"items":[{"content":"x\ny"}]}`, value("#a"))
	a.typing("#b", "new")
	require.Equal(t, `{"items":[{"content":"new"}]}`, value("#e"))
	a.fails("type", on("#c", `"text":"x"`), "not_actionable", "takes no text")
	a.fails("type", on("#ro", `"text":"x"`), "not_actionable", "read-only")
	a.typing("#l", "labelled")
	require.Contains(t, a.snapshot(), `textbox "L" [focused ref=e`)
}

func TestDetailsOfANameCloseEachOther(t *testing.T) {
	a, _ := visit(t, `<details name=a open id=one><summary>1</summary></details><details name=a><summary id=x>2</summary><p>in</p></details>`)
	a.click("#x")
	s := a.snapshot()
	require.Contains(t, s, `button "1" [collapsed`)
	require.Contains(t, s, `button "2" [expanded`)
	require.Contains(t, s, `paragraph: in`)
}

// A form of method dialog closes its dialog, and what was covered is free again.
func TestADialogElement(t *testing.T) {
	a, _ := visit(t, `<button id=o commandfor=d command=show-modal>Open</button><dialog id=d><form method=dialog><button id=c>Close</button></form></dialog>`)
	a.fails("click", on("#c"), "not_actionable")
	a.click("#o")
	a.fails("click", on("#o"), "not_actionable", "covered")
	require.Contains(t, a.snapshot(), "dialog [ref=")
	a.click("#c")
	a.click("#o")
	a.ok("press", `{"key":"Escape"}`)
	a.click("#o")
}

func TestARuleIsWhatAScriptWouldDo(t *testing.T) {
	a, _ := visit(t, `<button id=x>Add</button><p id=n>0</p><p id=h hidden>H</p><a id=l href=/b>go</a>`, func(c *page.Config) {
		c.Rules = []page.Rule{
			{On: "click", Selector: "#x", Target: "#n", HTML: "<b>1</b>", Console: "warn:added"},
			{On: "click", Selector: "#x", Target: "#h", Show: true},
			{On: "click", Selector: "a", Prevent: true, URL: "*shop.test*"},
			{On: "click", Selector: "a", Navigate: "/never", URL: "other.test"},
		}
	})
	a.click("#x")
	require.Contains(t, a.snapshot(), "paragraph: 1\n- paragraph: H")
	require.Contains(t, a.ok("console", `{"cmd":"list"}`), `"level":"warn","text":"added"`)
	a.click("#l")
	require.Equal(t, home, a.url())
	for _, bad := range []page.Rule{{On: "clock"}, {On: "click", Selector: "a["}, {On: "click", Target: "a["}, {On: "click", Dialog: "ask:x"}} {
		require.Error(t, bad.Check())
	}
	require.NoError(t, page.Rule{On: "load", Dialog: "prompt:x|y"}.Check())
}
