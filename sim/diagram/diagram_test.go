package diagram_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/diagram"
)

var update = flag.Bool("update", false, "write the golden files again")

// lost is a diagram with every kind of event.
func lost() diagram.Diagram {
	return diagram.Diagram{
		Title:  "A click whose answer is lost",
		Actors: []string{"agent", "daemon", "chrome"},
		Events: []diagram.Event{
			{At: 0, Kind: diagram.Note, Label: "session shop, seed 7"},
			{At: 0, From: "agent", To: "daemon", Label: "POST /command click @e5", Detail: "POST /command\n\n{\"action\":\"click\",\"args\":{\"ref\":\"@e5\"}}"},
			{At: time.Millisecond, From: "daemon", To: "chrome", Label: "command c1 click"},
			{At: 2 * time.Millisecond, From: "chrome", To: "chrome", Label: "the page is clicked"},
			{At: 7*time.Second + 1, From: "chrome", To: "daemon", Kind: diagram.Lost, Label: "result c1 ok"},
			{At: 7*time.Second + 2, From: "chrome", To: "daemon", Kind: diagram.Drop, Label: "1006, and the reason for it is far too long for any arrow"},
			{
				At: 7*time.Second + 2, From: "daemon", To: "agent", Label: `{"ok":true}`, Detail: "HTTP/1.1 200 OK\n\n{\"ok\":true,\"data\":{}}",
				Marked: true, Why: "CMD-04/unknown: the answer says ok although the result never came; want outcome_unknown, because whoever reads this would click again or would not",
			},
			{At: 7*time.Second + 3, From: "agent", Kind: diagram.Note, Label: "gives up"},
			{At: 8 * time.Second, From: "chrome", Kind: diagram.Note, Label: "reconnects in half a second, since the back-off begins there"},
			{At: 5*time.Minute + 30*time.Second - 1, From: "agent", To: "daemon", Label: "GET /ping?nonce=… späť 日本語"},
			{At: 5*time.Minute + 30*time.Second - 1, From: "agent", To: "chrome", Label: "past the daemon"},
			{At: 5*time.Minute + 30*time.Second - 1, From: "firefox", To: "daemon", Label: "an actor that only events name"},
		},
	}
}

// wide has more actors than a terminal has room for.
func wide() diagram.Diagram {
	d := diagram.Diagram{}
	for i := range 9 {
		d.Actors = append(d.Actors, fmt.Sprintf("actor %d with quite a long name", i))
	}
	for i := range 9 {
		d.Events = append(d.Events, diagram.Event{
			At: time.Duration(i) * 400 * time.Millisecond, From: d.Actors[i], To: d.Actors[8-i], Label: strings.Repeat("word ", 3*i),
		})
	}
	return d
}

func TestGolden(t *testing.T) {
	for name, d := range map[string]diagram.Diagram{"lost": lost(), "wide": wide(), "empty": {}} {
		for ext, draw := range map[string]func(io.Writer, diagram.Diagram) error{"txt": diagram.Text, "svg": diagram.SVG} {
			var got bytes.Buffer
			require.NoError(t, draw(&got, d))
			path := "testdata/" + name + "." + ext
			if *update {
				require.NoError(t, os.WriteFile(path, got.Bytes(), 0o600))
			}
			want, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String())
		}
	}
}

func TestRefusals(t *testing.T) {
	for want, e := range map[string]diagram.Event{
		"needs an actor at both ends": {From: "a", Label: "x"},
		`"y" needs an actor`:          {To: "a", Kind: diagram.Drop, Label: "y"},
		"the kind 4 does not exist":   {From: "a", To: "b", Kind: diagram.Drop + 1},
		"the kind -1 does not exist":  {From: "a", To: "b", Kind: -1},
	} {
		d := diagram.Diagram{Events: []diagram.Event{e}}
		require.ErrorContains(t, diagram.Text(io.Discard, d), want)
		require.ErrorContains(t, diagram.SVG(io.Discard, d), want)
	}
	full := errors.New("the disk is full")
	require.ErrorIs(t, diagram.Text(broken{full}, lost()), full)
	require.ErrorIs(t, diagram.SVG(broken{full}, lost()), full)
}

type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

// TestTextStandsStraight draws what would push lifelines aside and looks
// whether the last one stands in the same cell in every line.
func TestTextStandsStraight(t *testing.T) {
	d := diagram.Diagram{Actors: []string{"a", "b"}, Events: []diagram.Event{
		{From: "a", To: "a", Label: "日本"},
		{From: "a", To: "a", Label: "e\u0301tude"},
		{From: "a", Kind: diagram.Note, Label: "plain"},
		{From: "a", To: "a", Label: "esc \x1b[31m \u202e"},
	}}
	var got strings.Builder
	require.NoError(t, diagram.Text(&got, d))
	lines := strings.Split(strings.TrimRight(got.String(), "\n"), "\n")
	require.Contains(t, got.String(), `esc \u001b[31m \u202e`)
	cell := func(line string) int {
		before, _, found := strings.Cut(line, "│")
		require.True(t, found, line)
		_, rest, found := strings.Cut(line[len(before)+len("│"):], "│")
		require.True(t, found, line)
		require.Empty(t, rest)
		n := 0
		for _, r := range strings.TrimSuffix(line, "│") {
			switch {
			case r >= 0x3000:
				n += 2
			case r != 0x301:
				n++
			}
		}
		return n
	}
	for _, l := range lines[1:] {
		require.Equal(t, cell(lines[1]), cell(l), l)
	}
}

// TestLongLabels looks at the edge: a label that fits stands whole, one more
// character is cut, and its title has the whole.
func TestLongLabels(t *testing.T) {
	draw := func(label string) string {
		var got strings.Builder
		require.NoError(t, diagram.SVG(&got, diagram.Diagram{Events: []diagram.Event{{From: "a", To: "b", Label: label}}}))
		return got.String()
	}
	n := 0
	for n < 100 && strings.Contains(draw(strings.Repeat("x", n+1)), ">"+strings.Repeat("x", n+1)+"</text>") {
		n++
	}
	require.Greater(t, n, 30)
	require.Less(t, n, 100)
	long := draw(strings.Repeat("x", n+1))
	require.Contains(t, long, ">"+strings.Repeat("x", n-1)+"…</text>")
	require.Contains(t, long, "<title>+0s a to b: "+strings.Repeat("x", n+1)+"</title>")
}

func TestManyEvents(t *testing.T) {
	d := diagram.Diagram{Title: "many"}
	for i := range 1200 {
		d.Events = append(d.Events, diagram.Event{
			At: time.Duration(i) * time.Millisecond, From: fmt.Sprint("a", i%20), To: fmt.Sprint("a", i%19), Label: fmt.Sprint("message ", i),
		})
	}
	var text, svg bytes.Buffer
	require.NoError(t, diagram.Text(&text, d))
	require.NoError(t, diagram.SVG(&svg, d))
	require.Equal(t, 1200, strings.Count(svg.String(), `<g class="omw-event">`))
	require.Equal(t, 1200, strings.Count(text.String(), "  +"))
	wellFormed(t, svg.Bytes())
}

// TestNamesTellPicturesApart: the elements that a page refers to by their ids
// are the picture's own.
func TestNamesTellPicturesApart(t *testing.T) {
	draw := func(title, name string) string {
		var got strings.Builder
		require.NoError(t, diagram.SVG(&got, diagram.Diagram{Title: title, Name: name, Actors: []string{"a"}}))
		return got.String()
	}
	id := func(svg string) string {
		_, rest, _ := strings.Cut(svg, `aria-labelledby="`)
		id, _, _ := strings.Cut(rest, `"`)
		require.Contains(t, svg, `<title id="`+id+`">`)
		return id
	}
	one, two, titled := draw("", "row 1"), draw("", "row <2>"), draw("row 3", "row 1")
	require.NotEqual(t, id(one), id(two))
	require.Equal(t, one, draw("", "row 1"))
	require.Contains(t, two, ">row &lt;2&gt;</title>")
	require.NotContains(t, two, "omw-title\"")
	require.Contains(t, titled, ">row 3</title>")
	require.Contains(t, titled, `class="omw-title"`)
	require.Contains(t, draw("", ""), ">Sequence diagram</title>")
}

// TestSVGLoadsNothing: the picture holds no script and no address but the name
// of its language.
func TestSVGLoadsNothing(t *testing.T) {
	d := lost()
	d.Events[1].Label = `<script>alert(1)</script><image href="http://x"/>`
	var got strings.Builder
	require.NoError(t, diagram.SVG(&got, d))
	for _, bad := range []string{"<script", "<image", "url(", "@import", "href="} {
		require.NotContains(t, strings.ReplaceAll(got.String(), "href=&#34;", ""), bad)
	}
}

func wellFormed(t *testing.T, doc []byte) {
	t.Helper()
	require.True(t, utf8.Valid(doc))
	for d := xml.NewDecoder(bytes.NewReader(doc)); ; {
		_, err := d.Token()
		if err == io.EOF {
			return
		}
		require.NoError(t, err)
	}
}

func FuzzDraw(f *testing.F) {
	f.Add("t", "a", "b", "label", "detail", "why", int64(0), 0, true)
	f.Add("\x00<&>\"'", "]]>", "\xff", "\u202e\ufffe", "</title>", "-->", int64(-1), 1, true)
	f.Add("日本", "", "b", strings.Repeat("w ", 300), "\r\n\t", "", int64(1<<62), 2, false)
	f.Fuzz(func(t *testing.T, title, from, to, label, detail, why string, at int64, kind int, marked bool) {
		e := diagram.Event{
			At: time.Duration(at), From: from, To: to, Label: label, Detail: detail, Why: why, Kind: diagram.Kind(kind), Marked: marked,
		}
		d := diagram.Diagram{Title: title, Actors: []string{"first"}, Events: []diagram.Event{{From: "first", To: "second"}, e}}
		var svg, text bytes.Buffer
		err := diagram.SVG(&svg, d)
		require.Equal(t, err == nil, diagram.Text(&text, d) == nil)
		if err != nil {
			return
		}
		wellFormed(t, svg.Bytes())
		require.True(t, utf8.Valid(text.Bytes()))
		require.NotContains(t, text.String(), "\x1b")
	})
}
