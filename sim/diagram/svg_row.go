package diagram

import (
	"fmt"
	"strings"
)

// maxTitle is the most bytes of a detail that an event's title holds.
const maxTitle = 4 << 10

// row draws one event and moves on below it.
func (p *picture) row(r row) {
	if r.after > 0 {
		p.pause(r)
		p.y += breakHeight
	}
	class := "omw-event"
	if r.Marked {
		class += " omw-marked"
	}
	height := p.heightOf(r)
	if r.after > 0 {
		height -= breakHeight
	}
	p.put("<g class=\"%s\"><title>%s</title>", class, escape(r.title()))
	if r.Marked {
		p.put("<rect class=\"omw-band\" x=\"4\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"6\"/>", px(p.y), px(p.width-8), px(height-2))
		p.put("<path class=\"omw-flag\" d=\"M4 %sh5v%sh-5z\"/>", px(p.y), px(height-2))
	}
	middle := p.y + 25
	p.put("<text class=\"omw-time\" x=\"%s\" y=\"%s\">%s</text>", px(gutter-6), px(middle+4), offset(r.At))
	switch {
	case r.Kind == Note:
		p.note(r, middle)
	case r.from == r.to:
		p.itself(r, middle)
	default:
		p.arrow(r, middle)
	}
	for i, l := range p.why(r) {
		p.put("<text class=\"omw-why\" x=\"%s\" y=\"%s\">%s</text>", px(p.left-p.gap/3), px(p.y+rowHeight+10+float64(i)*lineHeight), escape(l))
	}
	p.put("</g>\n")
	p.y += height
}

// title is what a pointer that rests on the event shows.
func (r row) title() string {
	s := offset(r.At) + " " + r.words()
	detail := printable(r.Detail)
	if detail == "" || line(detail) == r.Label {
		return s
	}
	if len(detail) > maxTitle {
		detail = strings.ToValidUTF8(detail[:maxTitle], "") + "…"
	}
	return s + "\n" + detail
}

// pause draws that nothing happened for a while.
func (p *picture) pause(r row) {
	y := p.y + breakHeight/2
	for i := range p.actors {
		p.put("<path class=\"omw-pause\" d=\"M%s %sv%s\"/>", px(p.at(i)), px(p.y+2), px(breakHeight-4))
	}
	p.put("<text class=\"omw-later\" x=\"%s\" y=\"%s\">%s later</text>\n", px(gutter-6), px(y+4), r.after)
}

func (p *picture) note(r row, y float64) {
	x, room := p.at(r.from)+10, roomBeside
	switch {
	case r.From == "":
		x, room = p.left-p.gap/3, p.at(r.to)-p.left+2*p.gap/3
	case r.from < len(p.actors)-1:
		room = p.gap - 20
	default:
		room = p.width - x - 10
	}
	label := fit(r.Label, int((room-20)/glyph))
	p.put("<rect class=\"omw-note\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"23\" rx=\"4\"/>", px(x), px(y-12), px(textWidth(label)+20))
	p.put("<text class=\"omw-label\" x=\"%s\" y=\"%s\">%s</text>", px(x+10), px(y+4), escape(label))
}

// itself draws a message from an actor to itself.
func (p *picture) itself(r row, y float64) {
	x, room := p.at(r.from), p.gap-60
	if r.from == len(p.actors)-1 {
		room = p.width - x - 50
	}
	p.put("<path class=\"%s\" d=\"M%s %sh26v13h-19\"/>", classOf(r.Kind), px(x), px(y-6))
	if r.Kind == Message {
		p.put("<path class=\"omw-tip\" d=\"M%s %sl9 -4.5v9z\"/>", px(x+1), px(y+7))
	} else {
		p.cross(x+7, y+7)
	}
	p.put("<text class=\"omw-label\" x=\"%s\" y=\"%s\">%s</text>", px(x+34), px(y+4), escape(fit(r.Label, int(room/glyph))))
}

func (p *picture) arrow(r row, y float64) {
	from, to := p.at(r.from), p.at(r.to)
	step := 1.0
	if to < from {
		step = -1
	}
	end := to - step*2
	switch r.Kind {
	case Lost:
		end = to - step*34
	case Drop:
		from, end = from+step*10, to-step*10
	}
	p.put("<path class=\"%s\" d=\"M%s %sH%s\"/>", classOf(r.Kind), px(from), px(y), px(end))
	switch r.Kind {
	case Message:
		p.put("<path class=\"omw-tip\" d=\"M%s %sl%s -4.5v9z\"/>", px(to-step), px(y), px2(-step*10))
	case Lost:
		p.cross(end, y)
	case Drop:
		p.cross(from, y)
		p.cross(end, y)
	}
	room := (max(from, end) - min(from, end)) - 24
	p.put("<text class=\"omw-label omw-over\" x=\"%s\" y=\"%s\" text-anchor=\"middle\">%s</text>",
		px((from+end)/2), px(y-7), escape(fit(r.Label, int(room/glyph))))
}

func (p *picture) cross(x, y float64) {
	p.put("<path class=\"omw-cross\" d=\"M%s %sl9 9m0 -9l-9 9\"/>", px(x-4.5), px(y-4.5))
}

func classOf(k Kind) string {
	return map[Kind]string{Message: "omw-arrow", Lost: "omw-arrow omw-lost", Drop: "omw-arrow omw-drop"}[k]
}

// px2 writes a length that may go to the left.
func px2(v float64) string { return fmt.Sprintf("%g", v) }
