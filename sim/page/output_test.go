package page_test

import (
	"bytes"
	"context"
	"image"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"rsc.io/pdf"

	"github.com/oh-my-webbridge/omw/sim/page"
)

// deadline is a context that says when it ends and has no timer.
type deadline struct {
	context.Context
	at time.Time
}

func (d deadline) Deadline() (time.Time, bool) { return d.at, true }

// ink counts the black pixels of a picture.
func ink(m image.Image) int {
	n := 0
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			if r, _, _, _ := m.At(x, y).RGBA(); r < 0x8000 {
				n++
			}
		}
	}
	return n
}

func TestScreenshots(t *testing.T) {
	a, site := visit(t, `<h1>Title</h1><p id=p>Some text</p>`)
	r := a.do("screenshot", `{}`)
	require.Equal(t, `{"format":"png","width":1280,"height":720}`, string(r.Data))
	m, err := png.Decode(bytes.NewReader(r.Content))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 1280, 720), m.Bounds())
	whole := ink(m)
	require.Greater(t, whole, 100)

	r = a.do("screenshot", on("#p"))
	part, err := png.Decode(bytes.NewReader(r.Content))
	require.NoError(t, err)
	require.Equal(t, image.Rect(0, 0, 16+9*8, 32), part.Bounds())
	require.Greater(t, ink(part), 50)
	require.Less(t, ink(part), whole)

	r = a.do("screenshot", `{"format":"jpeg","quality":100}`)
	_, err = jpeg.Decode(bytes.NewReader(r.Content))
	require.NoError(t, err)
	require.Less(t, len(a.do("screenshot", `{"format":"jpeg","quality":1}`).Content), len(r.Content))

	site.page = strings.Repeat("<div>x</div>", 1023)
	a.ok("reload", `{}`)
	require.Equal(t, `{"format":"png","width":1280,"height":16384}`, a.ok("screenshot", `{"full_page":true}`))
	site.page += "<div>x</div>"
	a.ok("reload", `{}`)
	require.Equal(t, `{"format":"png","width":1280,"height":16384,"truncated":true}`, a.ok("screenshot", `{"full_page":true}`))
}

func TestScroll(t *testing.T) {
	a, site := visit(t, `short`)
	require.Equal(t, `{"scrolled":0,"at_boundary":true}`, a.ok("scroll", `{"direction":"down"}`))
	site.page = strings.Repeat("<div>x</div>", 100) + "<button id=x>x</button>"
	a.ok("reload", `{}`)
	// 101 lines of 16 pixels and the edges are 1632, of which 720 are in view.
	require.Equal(t, `{"scrolled":630,"at_boundary":false}`, a.ok("scroll", `{"direction":"down"}`))
	require.Equal(t, `{"scrolled":282,"at_boundary":true}`, a.ok("scroll", `{"direction":"down","amount":282}`))
	require.Equal(t, `{"scrolled":911,"at_boundary":false}`, a.ok("scroll", `{"direction":"up","amount":911}`))
	require.Equal(t, `{"scrolled":1,"at_boundary":true}`, a.ok("scroll", `{"direction":"up"}`))
	require.Equal(t, `{"scrolled":912,"at_boundary":true}`, a.ok("scroll", `{"to":"`+a.ref("button")+`"}`))
	require.Equal(t, `{"scrolled":0,"at_boundary":true}`, a.ok("scroll", `{"direction":"left"}`))
	require.Equal(t, `{"value":912}`, a.ok("evaluate", `{"code":"window.scrollY"}`))
}

// The PDF is read by another library than ours.
func TestPDF(t *testing.T) {
	a, site := visit(t, `<title>T (1)</title><p>Héllo (world) \ ok</p>`)
	read := func(args string) *pdf.Reader {
		content := a.do("pdf", args).Content
		r, err := pdf.NewReader(bytes.NewReader(content), int64(len(content)))
		require.NoError(t, err)
		return r
	}
	words := func(p pdf.Page) string {
		var b strings.Builder
		for _, text := range p.Content().Text {
			b.WriteString(text.S)
		}
		return b.String()
	}
	r := read(`{}`)
	require.Equal(t, 1, r.NumPage())
	require.Contains(t, words(r.Page(1)), `Héllo(world)\ok`, "that library reads no blanks")
	require.Equal(t, "T (1)", r.Trailer().Key("Info").Key("Title").Text())
	box := func(args string) [2]float64 {
		m := read(args).Page(1).V.Key("MediaBox")
		return [2]float64{m.Index(2).Float64(), m.Index(3).Float64()}
	}
	require.Equal(t, [2]float64{595.28, 841.89}, box(`{}`))
	require.Equal(t, [2]float64{1008, 612}, box(`{"paper":"Legal","landscape":true}`))

	// A page of A4 has (841.89 - 57.6) / 12 lines, which are 65.
	site.page = strings.Repeat("<div>x</div>", 65)
	a.ok("reload", `{}`)
	require.Equal(t, `{"pages":1}`, a.ok("pdf", `{}`))
	site.page = strings.Repeat("<div>x</div>", 65) + "<div>last</div>"
	a.ok("reload", `{}`)
	require.Equal(t, `{"pages":2}`, a.ok("pdf", `{}`))
	require.Equal(t, 2, read(`{}`).NumPage())
	require.Equal(t, "last", words(read(`{"pages":"2-"}`).Page(1)))
	require.Equal(t, `{"pages":1}`, a.ok("pdf", `{"pages":"1-1,1"}`))
	require.Equal(t, `{"pages":1}`, a.ok("pdf", `{"scale":0.9}`))
	// 66 lines are 792 points, for which 49.89 are left: 0.293 inches at the top.
	require.Equal(t, `{"pages":2}`, a.ok("pdf", `{"margins":{"top":0.3}}`))
	require.Equal(t, `{"pages":1}`, a.ok("pdf", `{"margins":{"top":0.29}}`))
	a.fails("pdf", `{"pages":"3"}`, "bad_request", "has only 2")
	a.fails("pdf", `{"pages":"2-1"}`, "bad_request")
	a.fails("pdf", `{"pages":"0"}`, "bad_request")
	a.fails("pdf", `{"margins":{"top":10,"bottom":10}}`, "bad_request", "no room")
}

func TestEvaluate(t *testing.T) {
	a, _ := visit(t, `<title>T</title><p>a</p>`, func(c *page.Config) {
		c.Values = map[string]page.Value{"cart.total": {JSON: jsontext.Value(`{"n":1}`)}, "boom()": {Throws: "Error: boom"}, "none": {}}
	})
	for code, want := range map[string]string{
		"1+1": "2", "return 2 * (3 - 1) / 8;": "0.5", "0.1+0.2": "0.30000000000000004", "7 % 4": "3", "-(2)": "-2", "1e3": "1000", "1e21*10": "1e+22",
		"1/0": "null", "'a\\'b'": `"a'b"`, `"x"`: `"x"`, "[1,2]": "[1,2]", "true": "true", "undefined": "null", "document.title": `"T"`,
		"window.location.href": `"http://shop.test/"`, "location.hash": `""`, "document.readyState": `"complete"`, " cart.total ": `{"n":1}`, "none": "null",
		"document.body.innerText": `"a"`, "history.length": "1",
	} {
		require.Equal(t, `{"value":`+want+`}`, a.ok("evaluate", `{"code":`+text(code)+`}`), code)
	}
	a.fails("evaluate", `{"code":"boom()"}`, "page_error", "Error: boom")
	for _, code := range []string{"foo()", "1+", "1++1", "(1", "'a' + 'b", "1 2", "--1", strings.Repeat("(", 200) + "1" + strings.Repeat(")", 200)} {
		a.fails("evaluate", `{"code":`+text(code)+`}`, "unsupported", "page.Config.Values")
	}
}

func TestExtract(t *testing.T) {
	a, _ := visit(t, `<h1>A <b>b</b></h1><p>one<br>two</p><p>three <a href=/x>link</a></p><table><tr><th>h<td>d</table><pre> x
 y</pre><p hidden>unseen</p><input type=password value=secret><textarea>area</textarea>`)
	require.JSONEq(t, `{"items":[{"content":"A b\n\none\ntwo\n\nthree link\n\nh\td\n x\n y"}]}`, a.ok("extract", `{}`))
	require.JSONEq(t, `{"items":[{"content":"# A **b**"}]}`, a.ok("extract", on("h1", `"format":"markdown"`)))
	require.Contains(t, a.ok("extract", `{"format":"markdown"}`), `[link](http://shop.test/x)`)
	require.NotContains(t, a.ok("extract", `{"format":"markdown"}`), "unseen")
	require.JSONEq(t, `{"items":[{"content":"<p>one<br/>two</p>"},{"content":"<p>three <a href=\"/x\">link</a></p>"},{"content":"<p hidden=\"\">unseen</p>"}]}`, a.ok("extract", on("p", `"format":"html"`)))
	ref := a.ref("heading")
	require.JSONEq(t, `{"items":[{"ref":"@`+ref+`","content":"A b"}]}`, a.ok("extract", `{"refs":["@`+ref+`"]}`))
	a.fails("extract", `{"refs":["e99"]}`, "stale_ref")
	require.JSONEq(t, `{"items":[{"content":""}]}`, a.ok("extract", on("[type=password]")))
	require.JSONEq(t, `{"items":[]}`, a.ok("extract", on("nav")))
}

// Pages of files, as a command line names them.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		full := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o700))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o600))
		return full
	}
	outside := filepath.Join(t.TempDir(), "outside.html")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	shop := write("site/shop.html", "the shop")
	write("site/order.html", "an order")
	write("site/index.html", "the index")
	write("site/deep/index.html", "deep")
	require.NoError(t, os.Symlink(outside, filepath.Join(dir, "site", "link.html")))

	body := func(s page.Site, url string) string {
		r, err := s.Fetch(context.Background(), page.Request{Method: "GET", URL: url})
		if err != nil {
			return err.Error()
		}
		if r.Status == 404 {
			return "404"
		}
		require.Contains(t, r.Header.Get("Content-Type"), "text/html")
		return string(r.Body)
	}
	for spec, want := range map[string]map[string]string{
		shop: {
			"http://a/": "the shop", "https://b/shop.html?x": "the shop", "http://a/order": "an order", "http://a/deep": "deep", "http://a/none": "404",
			"http://a/../../outside.html": "404", "http://a/link.html": "read link.html: statat link.html: path escapes from parent", "file:///etc/passwd": page.ErrNotServed.Error(),
		},
		filepath.Dir(shop): {"http://a/": "the index", "http://a/shop": "the shop"},
		"http://s.test=" + shop: {
			"http://s.test/": "the shop", "http://s.test/?q=1": "the shop", "http://s.test/order": "404", "http://t.test/": page.ErrNotServed.Error(),
		},
		"http://s.test/a?b=c=" + shop: {"http://s.test/a?b=c": "the shop", "http://s.test/a": "404"},
		"http://s.test/sub/=" + filepath.Dir(shop): {
			"http://s.test/sub/": "the index", "http://s.test/sub/order": "an order", "http://s.test/submarine": page.ErrNotServed.Error(),
			"http://s.test/": page.ErrNotServed.Error(),
		},
	} {
		s, err := page.Open(spec)
		require.NoError(t, err)
		for url, text := range want {
			require.Equal(t, text, body(s, url), "%s %s", spec, url)
		}
	}
	s, err := page.Open("http://s.test/="+shop, filepath.Dir(shop))
	require.NoError(t, err)
	require.Equal(t, "the index", body(s, "http://other/"))
	write("site/shop.html", "changed")
	require.Equal(t, "changed", body(s, "http://s.test/"), "a file is read at each request")
	for _, bad := range []string{filepath.Join(dir, "none.html"), "http://a/=none.html", "http://a/", "http:/x=" + shop} {
		_, err := page.Open(bad)
		require.Error(t, err, bad)
	}
}

func TestMap(t *testing.T) {
	m := page.Map{"http://a.test/": "root", "http://a.test/p?x=1": "exact"}
	for url, want := range map[string]int{"http://a.test/": 200, "http://a.test/?q": 200, "http://a.test/p?x=1": 200, "http://a.test/p": 404} {
		r, err := m.Fetch(context.Background(), page.Request{URL: url})
		require.NoError(t, err)
		require.Equal(t, want, r.Status, url)
	}
	_, err := m.Fetch(context.Background(), page.Request{URL: "https://a.test/"})
	require.ErrorIs(t, err, page.ErrNotServed)
}

// Only the last effects are kept when Keep bounds them; all are counted.
func TestEffectsAreCounted(t *testing.T) {
	a, _ := visit(t, `<button id=x type=button>x</button>`, func(c *page.Config) { c.Keep = 5 })
	for range 20 {
		a.click("#x")
	}
	effects := a.tabs.Effects()
	require.GreaterOrEqual(t, len(effects), 5)
	require.LessOrEqual(t, len(effects), 10)
	require.Equal(t, a.tabs.Count(), effects[len(effects)-1].Seq)
	require.Equal(t, 23, a.tabs.Count(), "a fetch, a navigation, a focus, twenty clicks")
}
