package page

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// papers are the sizes in points, upright.
var papers = map[string][2]float64{
	"A3": {841.89, 1190.55}, "A4": {595.28, 841.89}, "A5": {419.53, 595.28}, "Legal": {612, 1008}, "Letter": {612, 792}, "Tabloid": {792, 1224},
}

// sheet is how a page is printed, in points.
type sheet struct {
	width, height            float64
	top, right, bottom, left float64
	size                     float64
}

const inch = 72

// courier is the width of a glyph of Courier, and the height of a line, of the size
// of the font.
const (
	courier = 0.6
	leading = 1.2
)

func (c *call) pdf(b *tab) (any, error) {
	s := c.sheet()
	columns, rows := int((s.width-s.left-s.right)/(courier*s.size)), int((s.height-s.top-s.bottom)/(leading*s.size))
	if columns < 1 || rows < 1 {
		return nil, fail(protocol.BadRequest, "the margins leave no room on the paper")
	}
	text, _ := b.doc().screen(b.doc().root, columns)
	var all [][]string
	for len(text) > rows {
		all = append(all, text[:rows])
		text = text[rows:]
	}
	all = append(all, text)
	if ranges := c.text("pages"); ranges != "" {
		chosen, err := pick(all, ranges)
		if err != nil {
			return nil, err
		}
		all = chosen
	}
	return content{printed(b.title(), s, all), map[string]any{"pages": len(all)}}, nil
}

// sheet reads the arguments of pdf.
func (c *call) sheet() sheet {
	size, ok := papers[c.text("paper")]
	if !ok {
		size = papers["A4"]
	}
	s := sheet{width: size[0], height: size[1], size: 10}
	if c.flag("landscape") {
		s.width, s.height = s.height, s.width
	}
	if scale, ok := c.number("scale"); ok {
		s.size *= scale
	}
	margins, _ := protocol.Arg(c.args, "margins")
	for name, to := range map[string]*float64{"top": &s.top, "right": &s.right, "bottom": &s.bottom, "left": &s.left} {
		*to = 0.4 * inch
		if margins != nil {
			if v, ok := (&call{args: margins}).number(name); ok {
				*to = v * inch
			}
		}
	}
	return s
}

// pick takes the pages that ranges, as 1-3,5 or 4-, name, in their own order.
func pick(all [][]string, ranges string) ([][]string, error) {
	wanted := make([]bool, len(all))
	for one := range strings.SplitSeq(ranges, ",") {
		from, to, isRange := strings.Cut(one, "-")
		first, err := strconv.Atoi(from)
		if err != nil || first < 1 {
			return nil, fail(protocol.BadRequest, "pages %q: pages count from 1", ranges)
		}
		last := first
		if isRange {
			if last, err = strconv.Atoi(to); to == "" {
				last, err = len(all), nil
			}
		}
		if err != nil || (last < first && to != "") {
			return nil, fail(protocol.BadRequest, "pages %q: a range ends where it begins or behind it", ranges)
		}
		for i := first; i <= min(last, len(all)); i++ {
			wanted[i-1] = true
		}
	}
	var chosen [][]string
	for i, page := range all {
		if wanted[i] {
			chosen = append(chosen, page)
		}
	}
	if chosen == nil {
		return nil, fail(protocol.BadRequest, "pages %q: the document has only %d", ranges, len(all))
	}
	return chosen, nil
}

// printed writes a PDF 1.4 of pages of lines (ISO 32000-1, 7.5: header, body, cross
// reference table, trailer).
func printed(title string, s sheet, pages [][]string) []byte {
	var b bytes.Buffer
	var offsets []int
	object := func(body string) {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(offsets), body)
	}
	b.WriteString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
	const first = 5
	kids := make([]string, len(pages))
	for i := range pages {
		kids[i] = fmt.Sprintf("%d 0 R", first+2*i)
	}
	object("<< /Type /Catalog /Pages 2 0 R >>")
	object(fmt.Sprintf("<< /Type /Pages /Count %d /Kids [%s] >>", len(pages), strings.Join(kids, " ")))
	object("<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>")
	object(fmt.Sprintf("<< /Title %s /Producer (oh-my-webbridge simulated browser) >>", pdfString(title)))
	for i, lines := range pages {
		object(fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>",
			s.width, s.height, first+2*i+1))
		text := s.stream(lines)
		object(fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(text), text))
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(offsets)+1)
	for _, at := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", at)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R /Info 4 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(offsets)+1, xref)
	return b.Bytes()
}

// stream is the content of a page: a line of text behind the other.
func (s sheet) stream(lines []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "BT\n/F1 %.2f Tf\n%.2f TL\n%.2f %.2f Td\n", s.size, leading*s.size, s.left, s.height-s.top-s.size)
	for _, line := range lines {
		b.WriteString(pdfString(line) + " Tj T*\n")
	}
	b.WriteString("ET")
	return b.String()
}

// pdfString is s as a literal string in WinAnsi; what that has not is a question
// mark.
func pdfString(s string) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, r := range s {
		ch, ok := charmap.Windows1252.EncodeRune(r)
		switch {
		case !ok || ch < ' ':
			b.WriteByte('?')
		case ch == '(' || ch == ')' || ch == '\\':
			b.WriteByte('\\')
			b.WriteByte(ch)
		case ch > '~':
			fmt.Fprintf(&b, "\\%03o", ch)
		default:
			b.WriteByte(ch)
		}
	}
	b.WriteByte(')')
	return b.String()
}
