package diagram

import (
	"fmt"
	"io"
	"strings"
)

const (
	// narrowest and widest are the least and the most cells between two lifelines.
	narrowest, widest = 20, 38
	// beside is how many cells a remark beside the last lifeline may take.
	beside = 44
	// maxDetail is how many lines of a marked event's detail are shown.
	maxDetail = 12
)

// Text draws a diagram for a terminal with a fixed-width font, with Unicode's
// line-drawing characters and no colour. The marked events have a » at the
// left and are followed by their reason and their detail. The error is one of
// the diagram or of w.
func Text(w io.Writer, d Diagram) error {
	actors, rows, err := d.rows()
	if err != nil {
		return err
	}
	p := newPaper(actors, rows)
	if title := line(d.Title); title != "" {
		fmt.Fprintf(&p.out, "%s\n\n", title)
	}
	p.heads()
	for _, r := range rows {
		p.row(r)
	}
	if _, err := io.WriteString(w, p.out.String()); err != nil {
		return fmt.Errorf("write diagram: %w", err)
	}
	return nil
}

// paper is a diagram on its way into lines.
type paper struct {
	out    strings.Builder
	actors []string
	// margin is where the times end, gap the cells from one lifeline to the next,
	// width those of a line.
	margin, gap, width int
}

func newPaper(actors []string, rows []row) *paper {
	p := &paper{actors: actors, gap: narrowest, margin: 6}
	right := 2
	for _, r := range rows {
		p.margin = max(p.margin, len(offset(r.At))+4)
		if span := max(r.from, r.to) - min(r.from, r.to); span > 0 && r.Kind != Note {
			p.gap = max(p.gap, (columns(r.Label)+8+span-1)/span)
		}
		switch {
		case r.from != r.to || r.Kind == Note && r.From == "":
		case r.from == len(actors)-1:
			right = max(right, min(beside, columns(r.Label)+5))
		default:
			p.gap = max(p.gap, columns(r.Label)+6)
		}
	}
	p.gap = min(p.gap, widest)
	for _, name := range actors {
		right = max(right, min(p.gap, columns(line(name))+2)/2+1)
	}
	p.width = p.at(max(0, len(actors)-1)) + right
	return p
}

// at returns the cell of a lifeline.
func (p *paper) at(actor int) int { return p.margin + 4 + actor*p.gap }

func (p *paper) heads() {
	c := blank(p.width)
	for i, name := range p.actors {
		name = fit(line(name), p.gap-2)
		c.put(max(0, p.at(i)-columns(name)/2), name)
	}
	p.print(c)
	p.print(p.lifelines("│"))
}

func (p *paper) print(c cells) { p.out.WriteString(c.String() + "\n") }

func (p *paper) lifelines(s string) cells {
	c := blank(p.width)
	for i := range p.actors {
		c.put(p.at(i), s)
	}
	return c
}

func (p *paper) row(r row) {
	if r.after > 0 {
		p.print(p.lifelines("┊"))
	}
	c := p.lifelines("│")
	if r.Marked {
		c.put(0, "»")
	}
	c.put(2, offset(r.At))
	switch {
	case r.Kind == Note && r.From == "":
		c.put(p.at(0)+2, fit(r.Label, p.width-p.at(0)-2))
	case r.Kind == Note:
		p.aside(c, r, "· ")
	case r.from == r.to:
		p.aside(c, r, map[Kind]string{Message: "↺ ", Lost: "╳ ", Drop: "╳ "}[r.Kind])
	default:
		p.arrow(c, r)
	}
	p.print(c)
	if r.Marked {
		p.reason(r)
	}
}

// aside writes a text to the right of a lifeline.
func (p *paper) aside(c cells, r row, sign string) {
	x := p.at(r.from) + 2
	c.put(x, sign+fit(r.Label, p.width-x-columns(sign)))
}

// arrow draws from one lifeline to another.
func (p *paper) arrow(c cells, r row) {
	from, to := p.at(min(r.from, r.to))+1, p.at(max(r.from, r.to))
	right := r.from < r.to
	shaft, left, head := "─", "─", "▶"
	switch {
	case r.Kind == Drop:
		shaft, left, head = "╌", "╳", "╳"
	case !right:
		left, head = "◀", "─"
	}
	// A lost message ends before it arrives.
	if r.Kind == Lost && right {
		to, head = to-3, "╳"
	} else if r.Kind == Lost {
		from, left = from+3, "╳"
	}
	c.fill(from, to, shaft)
	c[from], c[to-1] = left, head
	label := fit(r.Label, to-from-6)
	if label == "" {
		return
	}
	n := columns(label) + 2
	c.put(from+(to-from-n)/2, " "+label+" ")
}

// reason writes below a marked event why it is marked, and the whole of it.
func (p *paper) reason(r row) {
	most := max(40, p.width-p.margin)
	pad := strings.Repeat(" ", p.margin)
	for _, l := range wrap(printable(r.Why), most) {
		fmt.Fprintf(&p.out, "»%s%s\n", pad[1:], l)
	}
	detail := wrap(printable(r.Detail), most-2)
	for i, l := range detail {
		if i == maxDetail {
			fmt.Fprintf(&p.out, "%s| … %d more lines\n", pad, len(detail)-i)
			break
		}
		fmt.Fprintf(&p.out, "%s\n", strings.TrimRight(pad+"| "+l, " "))
	}
}
