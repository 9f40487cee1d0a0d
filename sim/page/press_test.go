package page_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func (a *agent) press(key string, more ...string) {
	a.t.Helper()
	args := `{"key":` + text(key)
	for _, m := range more {
		args += "," + m
	}
	a.ok("press", args+"}")
}

// What keys do: HTML, 6.6 and the activation behaviours.
func TestTabGoesThroughThePage(t *testing.T) {
	a, _ := visit(t, `<a>no</a><button>B1</button><input type=radio name=r aria-label=R1><input type=radio name=r checked aria-label=R2><input disabled><input type=hidden>
<button tabindex=2>Second</button><button tabindex=1>First</button><button tabindex=-1>Never</button><div hidden><button>H</button></div>
<iframe srcdoc="<button>Framed</button>" title=F></iframe><p tabindex=0 role=note aria-label=Note></p>`)
	for _, want := range []string{`button "First"`, `button "Second"`, `button "B1"`, `radio "R2"`, `button "Framed"`, `note "Note"`} {
		a.press("Tab")
		require.Contains(t, a.snapshot(), want+" [")
		require.Regexp(t, want+` \[[^\]]*focused`, a.snapshot())
	}
	a.press("Tab", `"modifiers":["Shift"]`)
	require.Regexp(t, `button "Framed" \[focused`, a.snapshot())
	a.press("Tab")
	a.press("Tab")
	require.NotContains(t, a.snapshot(), "focused", "behind the last one is the browser")
}

func TestKeys(t *testing.T) {
	a, site := visit(t, `<form action=/go><input type=radio name=r value=1 id=r1><input type=radio name=r value=2 disabled><input type=radio name=r value=3 id=r3>
<select name=s id=s><option>a<option disabled>b<option>c<option>cd</select><input type=range name=g id=g min=0 max=10 step=4 value=4>
<input type=number name=n id=n min=1 max=3><input type=checkbox name=c id=c><input name=t id=t maxlength=3><textarea name=a id=a></textarea><button id=x>x</button></form>
<a href=/b id=l>l</a>`)
	a.ok("focus", on("#r1"))
	a.press("ArrowDown")
	a.press("ArrowRight")
	a.press("ArrowLeft")
	a.ok("focus", on("#s"))
	a.press("ArrowDown")
	a.press("ArrowDown")
	a.press("ArrowDown")
	a.press("c")
	a.ok("focus", on("#g"))
	a.press("ArrowUp")
	a.press("ArrowUp")
	a.ok("focus", on("#n"))
	a.press("ArrowUp")
	a.press("ArrowUp")
	a.press("ArrowUp")
	a.press("ArrowUp")
	a.ok("focus", on("#c"))
	a.press(" ")
	a.ok("focus", on("#t"))
	for _, key := range []string{"a", "b", "Backspace", "é", "x", "y"} {
		a.press(key)
	}
	a.press("1", `"ref":"`+a.ref("textbox [")+`"`)
	a.ok("press", on("#a", `"key":"Enter"`))
	a.press("z")
	a.ok("press", on("#x", `"key":"Enter"`))
	require.Equal(t, "http://shop.test/go?r=3&s=c&g=8&n=3&c=on&t=a%C3%A9x&a=%0D%0Az", site.last(t).URL)
	a.ok("back", `{}`)
	a.ok("press", on("#t", `"key":"a"`, `"modifiers":["Control"]`))
	a.press("Q")
	require.Contains(t, a.ok("extract", on("#t")), `"Q"`)
	a.ok("press", on("#l", `"key":"Enter"`))
	require.Equal(t, "http://shop.test/b", a.url())
	for _, e := range a.tabs.Effects() {
		require.NotContains(t, []string{"Q", "é", "z"}, e.Detail, "what is typed is not told")
	}
}
