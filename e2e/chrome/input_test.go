package chrome_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const form = `<title>Form</title>
<style>#late{visibility:hidden}#cover{position:fixed;inset:0;background:#fff8}</style>
<label>Name <input id=name value="old"></label> <label>Notes <textarea id=notes>one</textarea></label>
<label>Day <input type=date id=day></label> <label>Number <input type=number id=number value=1></label>
<div contenteditable aria-label="Rich" id=rich>rich</div> <label>Off <input id=off disabled></label> <label>Fixed <input id=fixed readonly value=r></label>
<button id=b onclick="clicks++; trusted = event.isTrusted; keys = event.ctrlKey">Press</button> <button id=late onclick="late++">Late</button>
<button id=double ondblclick="doubles++">Double</button> <button id=over onmouseenter="hovers++">Over</button>
<div style="height:3000px"></div><button id=far onclick="far++">Far</button>
<script>var clicks = 0, late = 0, doubles = 0, hovers = 0, far = 0, trusted, keys, inputs = []
addEventListener('input', e => inputs.push(e.target.id + ' ' + e.isTrusted))</script>`

func clicksAndTypes(t *testing.T, r *rig) {
	s := r.session(t, "form")
	s.open(serve(t, html(form)))
	p := s.read()

	p.click("button", "Press")
	require.Equal(t, `[1,true,false]`, s.eval("[clicks, trusted, keys]"))
	_, err := s.Click(s.ctx(), client.ClickArgs{Selector: "#b", Modifiers: []client.Modifier{client.ModifierControl}})
	require.NoError(t, err)
	require.Equal(t, `[2,true]`, s.eval("[clicks, keys]"))
	p.click("button", "Far")
	require.Equal(t, `1`, s.eval("far"), "it is scrolled to")
	_, err = s.DblClick(s.ctx(), client.DblClickArgs{Ref: p.ref("button", "Double")})
	require.NoError(t, err)
	require.Equal(t, `1`, s.eval("doubles"))
	_, err = s.Hover(s.ctx(), client.HoverArgs{Ref: p.ref("button", "Over")})
	require.NoError(t, err)
	require.Equal(t, `1`, s.eval("hovers"))

	read := func(id string) string {
		return s.eval("document.getElementById('" + id + "')." + map[bool]string{true: "innerText", false: "value"}[id == "rich"])
	}
	p.fill("textbox", "Name", "new")
	require.Equal(t, `"new"`, read("name"))
	p.fill("textbox", "Notes", "two\nlines")
	require.Equal(t, `"two\nlines"`, read("notes"))
	p.fill("spinbutton", "Number", "42")
	require.Equal(t, `"42"`, read("number"))
	p.fill("textbox", "Rich", "poor")
	require.Equal(t, `"poor"`, read("rich"))
	p.fill("textbox", "Day", "2026-12-01")
	require.Equal(t, `"2026-12-01"`, read("day"))
	_, err = s.Type(s.ctx(), client.TypeArgs{Selector: "#name", Text: "er", Mode: client.TypeModeAppend})
	require.NoError(t, err)
	require.Equal(t, `"newer"`, read("name"))
	_, err = s.Type(s.ctx(), client.TypeArgs{Selector: "#rich", Text: "er", Mode: client.TypeModeAppend})
	require.NoError(t, err)
	require.Equal(t, `"poorer"`, read("rich"))
	_, err = s.Type(s.ctx(), client.TypeArgs{Selector: "#number", Text: "0", Mode: client.TypeModeAppend})
	require.NoError(t, err)
	require.Equal(t, `"420"`, read("number"))
	p.fill("textbox", "Name", "")
	require.Equal(t, `""`, read("name"))
	_, err = s.Press(s.ctx(), client.PressArgs{Selector: "#name", Key: "x"})
	require.NoError(t, err)
	require.Equal(t, `"x"`, read("name"))
	require.Equal(t, `["day false"]`, s.eval("inputs.filter(i => i.endsWith('false'))"), "all but the date is typed as a person types")

	s.neverShown()
}

// A click waits until it can be done, and else says what stands in the way.
func saysWhatStandsInTheWay(t *testing.T, r *rig) {
	s := r.session(t, "no")
	s.open(serve(t, html(form)))

	s.eval("setTimeout(() => late_.style.visibility = 'visible', 300), late_ = document.getElementById('late'), 1")
	_, err := s.Click(s.ctx(), client.ClickArgs{Selector: "#late"})
	require.NoError(t, err)
	require.Equal(t, `1`, s.eval("late"))

	// Nothing is done to the page, so that a machine that is too slow to say why in time may be asked again.
	why := func(try func(client.Session) error) string {
		t.Helper()
		var err error
		eventually(t, "a reason", func() bool {
			err = try(s.Within(time.Second))
			return protocol.AsError(err).Code != protocol.OutcomeUnknown
		})
		return refused(t, protocol.NotActionable, err).Message
	}
	for selector, want := range map[string]string{"#off": "disabled", "#fixed": "read-only", "#nowhere": "nothing matches"} {
		require.Contains(t, why(func(s client.Session) error {
			_, err := s.Type(context.Background(), client.TypeArgs{Selector: selector, Text: "x"})
			return err
		}), want)
	}
	s.eval("document.body.insertAdjacentHTML('beforeend', '<div id=cover role=dialog aria-label=Cookies>'), 1")
	require.Contains(t, why(func(s client.Session) error {
		_, err := s.Click(context.Background(), client.ClickArgs{Selector: "#b"})
		return err
	}), `covered by <div#cover> (dialog "Cookies")`)
	require.Equal(t, `0`, s.eval("clicks"))
	_, err = s.Click(s.ctx(), client.ClickArgs{Selector: "((("})
	refused(t, protocol.BadRequest, err)
}

// A reference is good for its node alone, as it was shown.
func refusesStaleReferences(t *testing.T, r *rig) {
	s := r.session(t, "stale")
	url := serve(t, html(`<button id=a onclick="hits++">Buy</button> <button id=b>Sell</button><script>var hits = 0</script>`))
	s.open(url)
	p := s.read()
	buy, sell := p.ref("button", "Buy"), p.ref("button", "Sell")
	click := func(ref string) error {
		_, err := s.Click(s.ctx(), client.ClickArgs{Ref: ref})
		return err
	}

	s.eval("document.body.prepend(document.getElementById('b')), 1")
	require.NoError(t, click(buy), "it may move")
	s.eval("a.textContent = 'Bought', 1")
	require.Contains(t, refused(t, protocol.StaleRef, click(buy)).Message, `is button "Bought" now; it was button "Buy"`)
	s.eval("b.remove(), 1")
	require.Contains(t, refused(t, protocol.StaleRef, click(sell)).Message, "removed from the page")
	require.Contains(t, refused(t, protocol.StaleRef, click("@e999")).Message, "no snapshot of this session has named it")
	renamed := s.read().ref("button", "Bought")
	require.NotContains(t, []string{buy, sell}, renamed)
	s.open(url)
	require.Contains(t, refused(t, protocol.StaleRef, click(renamed)).Message, "navigated or was loaded again")
	fresh := s.read()
	require.NotContains(t, []string{buy, sell, renamed}, fresh.ref("button", "Buy"), "no number is used twice")
	require.Equal(t, `0`, s.eval("hits"))
}
