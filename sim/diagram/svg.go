package diagram

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The measures of a picture, in its pixels. A character of the fixed-width
// font at 12 px is at most glyph wide.
const (
	glyph       = 7.3
	boldGlyph   = 8.5 // of the title, at 14 px
	gutter      = 24.0
	minGap      = 180.0
	maxGap      = 340.0
	fullWidth   = 1000.0 // what many lifelines divide among them
	titleHeight = 30.0
	headHeight  = 30.0
	headRoom    = 14.0
	rowHeight   = 38.0
	breakHeight = 22.0
	lineHeight  = 17.0
	roomBeside  = 330.0
	roomAfter   = 16.0
)

// SVG draws a diagram as one self-contained picture that may stand in a file or
// inside an HTML page, also several in one: no script, nothing to load. Its
// colours are CSS variables that follow prefers-color-scheme, and a page may set
// them on a class of its own. The picture has a title and a description for
// those who cannot see it; each event has the whole of its label and its detail
// in a title of its own. Whatever the diagram holds, the picture is well-formed
// XML. The error is one of the diagram or of w.
func SVG(w io.Writer, d Diagram) error {
	actors, rows, err := d.rows()
	if err != nil {
		return err
	}
	p := newPicture(d, actors, rows)
	p.draw()
	if _, err := io.WriteString(w, p.out.String()); err != nil {
		return fmt.Errorf("write diagram: %w", err)
	}
	return nil
}

// picture is a diagram on its way into elements.
type picture struct {
	out    strings.Builder
	title  string
	name   string
	id     string
	actors []string
	rows   []row
	// left is the first lifeline, gap from one to the next, y how far it is drawn.
	left, gap, width, y float64
}

func newPicture(d Diagram, actors []string, rows []row) *picture {
	p := &picture{title: line(d.Title), name: cmp.Or(line(d.Title), line(d.Name), "Sequence diagram"), actors: actors, rows: rows, gap: minGap, id: identity(d)}
	times, right := 6, minGap/2
	for _, r := range rows {
		times = max(times, len(offset(r.At)))
		label := textWidth(r.Label)
		switch span := max(r.from, r.to) - min(r.from, r.to); {
		case span > 0 && r.Kind != Note:
			p.gap = max(p.gap, (label+40)/float64(span))
		case r.Kind == Note && r.From == "":
		case r.from == len(actors)-1:
			right = max(right, min(roomBeside, label+50))
		default:
			p.gap = max(p.gap, label+60)
		}
	}
	p.gap = min(p.gap, maxGap, max(minGap, fullWidth/float64(max(1, len(actors)))))
	p.left = gutter + float64(times)*glyph + 20 + p.gap/3
	p.width = p.at(max(0, len(actors)-1)) + max(right, p.gap/3+10)
	return p
}

// identity makes names that no other diagram in the same page has, unless it
// is the same one.
func identity(d Diagram) string {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%#v", d)
	return "omw-seq-" + strconv.FormatUint(h.Sum64(), 36)
}

func (p *picture) at(actor int) float64 { return p.left + float64(actor)*p.gap }

// height returns how far down the picture goes.
func (p *picture) height() float64 {
	h := p.top()
	for _, r := range p.rows {
		h += p.heightOf(r)
	}
	return h + roomAfter
}

// top is where the first event begins.
func (p *picture) top() float64 { return p.headY() + headHeight + 12 }

// headY is where the names of the actors begin, below the title if there is one.
func (p *picture) headY() float64 {
	if p.title == "" {
		return headRoom
	}
	return headRoom + titleHeight
}

func (p *picture) heightOf(r row) float64 {
	h := rowHeight
	if n := len(p.why(r)); n > 0 {
		h += float64(n)*lineHeight + 5
	}
	if r.after > 0 {
		h += breakHeight
	}
	return h
}

// why returns the lines of a marked event's reason.
func (p *picture) why(r row) []string {
	if !r.Marked || line(r.Why) == "" {
		return nil
	}
	return wrap(line(r.Why), max(40, int((p.width-p.left+p.gap/3-20)/glyph)))
}

func (p *picture) draw() {
	height := p.height()
	p.put(`<svg xmlns="http://www.w3.org/2000/svg" class="omw-seq" role="img" aria-labelledby="%s-t" aria-describedby="%s-d" `+
		`viewBox="0 0 %s %s" width="%s" height="%s">`+"\n", p.id, p.id, px(p.width), px(height), px(p.width), px(height))
	p.put("<title id=\"%s-t\">%s</title>\n<desc id=\"%s-d\">%s</desc>\n", p.id, escape(p.name), p.id, escape(p.describe()))
	p.put("<style>%s</style>\n", style)
	if p.title != "" {
		shown := fit(p.title, int((p.width-2*gutter)/boldGlyph))
		p.put("<text class=\"omw-title\" x=\"%s\" y=\"%s\">%s</text>\n", px(gutter-6), px(headRoom+14), escape(shown))
	}
	p.heads(height)
	p.y = p.top()
	for _, r := range p.rows {
		p.row(r)
	}
	p.put("</svg>\n")
}

func (p *picture) put(format string, a ...any) { fmt.Fprintf(&p.out, format, a...) }

// describe says in words what the picture shows.
func (p *picture) describe() string {
	var b strings.Builder
	names := make([]string, len(p.actors))
	for i, name := range p.actors {
		names[i] = line(name)
	}
	fmt.Fprintf(&b, "%d events between %s.", len(p.rows), strings.Join(names, ", "))
	for _, r := range p.rows {
		if r.Marked {
			fmt.Fprintf(&b, " Marked, at %s: %s.", offset(r.At), r.words())
			if why := line(r.Why); why != "" {
				b.WriteString(" " + why)
			}
		}
	}
	return b.String()
}

// words says in a line what an event is.
func (r row) words() string {
	from, to := line(r.From), line(r.To)
	switch {
	case r.Kind == Note && r.From == "":
		return "note: " + r.Label
	case r.Kind == Note:
		return from + ": " + r.Label
	case r.Kind == Lost:
		return fmt.Sprintf("%s to %s, lost: %s", from, to, r.Label)
	case r.Kind == Drop:
		return fmt.Sprintf("the connection of %s and %s ends: %s", from, to, r.Label)
	}
	return fmt.Sprintf("%s to %s: %s", from, to, r.Label)
}

func (p *picture) heads(height float64) {
	y := p.headY()
	for i, name := range p.actors {
		x, full := p.at(i), line(name)
		shown := fit(full, int((p.gap-40)/glyph))
		w := max(90, textWidth(shown)+24)
		p.put("<g class=\"omw-head\"><title>%s</title><path d=\"M%s %sV%s\"/>", escape(full), px(x), px(y+headHeight), px(height-6))
		p.put("<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"7\"/>", px(x-w/2), px(y), px(w), px(headHeight))
		p.put("<text x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text></g>\n", px(x), px(y+headHeight/2+4.5), escape(shown))
	}
}

// px writes a length.
func px(v float64) string { return strconv.FormatFloat(float64(int(v*10+0.5))/10, 'f', -1, 64) }

// textWidth returns how wide a text is at most.
func textWidth(s string) float64 { return float64(columns(s)) * glyph }

// escape makes a text part of an XML document. What XML has no way to write
// becomes U+FFFD.
func escape(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	if out := b.String(); utf8.ValidString(out) {
		return out
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}
