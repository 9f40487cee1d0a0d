package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/page"
)

// TAB-04: a reference is good while its node, role, name and document stand, else it
// is refused with the reason, and its number is never given again.
func TestReferences(t *testing.T) {
	a, site := visit(t, `<button id=a>One</button><button id=b>Two</button><p id=p></p>`, func(c *page.Config) {
		c.Rules = []page.Rule{
			{On: "dblclick", Selector: "#a", Target: "#b", HTML: "Three"},
			{On: "mouseover", Selector: "#a", Target: "#b", Remove: true},
		}
	})
	one, two := a.ref("One"), a.ref("Two")
	require.Equal(t, []string{"e1", "e2"}, []string{one, two})
	for _, form := range []string{"e1", "@e1", "ref=e1"} {
		a.ok("click", `{"ref":"`+form+`"}`)
		a.ok("click", on(form))
	}
	a.fails("click", `{"ref":"e3"}`, "stale_ref", "no snapshot of this session has named it")
	a.ok("dblclick", `{"ref":"e1"}`)
	a.fails("click", `{"ref":"e2"}`, "stale_ref", `it is button "Three" now; it was button "Two"`[3:])
	require.Equal(t, "e3", a.ref("Three"), "another name, another reference")
	a.ok("hover", `{"ref":"e1"}`)
	a.fails("click", `{"ref":"e3"}`, "stale_ref", `removed from the page; it was button "Three"`)

	other := &agent{t, a.tabs, "t"}
	other.ok("navigate", `{"url":"`+home+`"}`)
	other.fails("click", `{"ref":"e1"}`, "stale_ref", "no snapshot of this session")
	other.snapshot()
	other.ok("click", `{"ref":"e1"}`)

	a.ok("navigate", `{"url":"http://shop.test/next"}`)
	a.fails("click", `{"ref":"e1"}`, "stale_ref", "the tab has navigated")
	a.ok("back", `{}`)
	a.ok("click", `{"ref":"e1"}`)
	a.ok("reload", `{}`)
	a.fails("click", `{"ref":"e1"}`, "stale_ref", "loaded again")
	site.page = `<button>One</button>`
	a.ok("reload", `{}`)
	require.Equal(t, "e4", a.ref("One"), "numbers go on")

	a.ok("navigate", `{"url":"`+home+`","new_tab":true}`)
	a.fails("click", `{"ref":"e4"}`, "stale_ref", "element of tab 1")
	a.ok("click", `{"ref":"e4","tab":1}`)
}

func TestAReferenceIntoAFrame(t *testing.T) {
	a, site := visit(t, `<iframe srcdoc="<button>In</button><input name=n>" title=F></iframe><button>Out</button>`)
	a.ok("click", `{"ref":"`+a.ref("In")+`"}`)
	a.fails("click", on("input"), "not_actionable")
	require.Equal(t, `{"frame":"@e1","url":"about:srcdoc"}`, a.ok("frame", `{"frame":"@e1"}`))
	a.typing("input", "x")
	require.Contains(t, a.ok("snapshot", `{}`), `textbox [focused ref=e3]: x`)
	require.Equal(t, `{"frame":null,"url":"http://shop.test/"}`, a.ok("frame", `{}`))
	a.fails("frame", `{"frame":"nowhere"}`, "not_found", "no frame of the name")
	a.fails("frame", `{"frame":"`+a.ref("Out")+`"}`, "not_found", "is no frame")

	site.page = `<iframe name=f src=/inner></iframe>`
	site.others = map[string]string{"/inner": `<a href=/second id=l>x</a><a href=/top target=_top id=t>y</a><form action=/sent><input name=q value=1><button>s</button></form>`}
	a.ok("reload", `{}`)
	require.Equal(t, `{"frame":"inner","url":"http://shop.test/inner"}`, a.ok("frame", `{"frame":"inner"}`))
	a.ok("frame", `{"frame":"f"}`)
	a.click("button")
	require.Equal(t, "http://shop.test/sent?q=1", site.last(t).URL)
	require.Equal(t, home, page1(a), "the tab stays where it was")
	a.ok("reload", `{}`)
	a.ok("frame", `{"frame":"f"}`)
	a.click("#l")
	a.ok("reload", `{}`)
	a.ok("frame", `{"frame":"f"}`)
	a.click("#t")
	require.Equal(t, "http://shop.test/top", page1(a))
}

// page1 is the URL of the agent's current tab.
func page1(a *agent) string {
	a.ok("frame", `{}`)
	return a.url()
}
