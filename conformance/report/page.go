package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/report/sequence"
	"github.com/oh-my-webbridge/omw/conformance/verdict"
	"github.com/oh-my-webbridge/omw/sim/diagram"
)

// PageStyle is the style that the suite's pages share: its colours in the light
// and in the dark, and what a page's head and tables look like.
//
//go:embed page/page.css
var PageStyle string

//go:embed page
var pageFiles embed.FS

var pageTemplate = template.Must(template.New("page.html").ParseFS(pageFiles, "page/page.html"))

const (
	// diagramsOfRule is how many failures of one rule are drawn, and
	// diagramsOfPage how many of all: a broken gate fails a thousand scenarios in
	// the same way, and a page of a thousand pictures shows none of them.
	diagramsOfRule = 4
	diagramsOfPage = 160
)

// page writes one HTML page that holds all it needs: no address stands in it
// that a browser would ask, and its policy forbids it to.
func page(w io.Writer, s *verdict.Stream, v *verdict.Verdict) error {
	script, err := pageFiles.ReadFile("page/page.js")
	if err != nil {
		return fmt.Errorf("read the page's script: %w", err)
	}
	p, err := newPage(s, v)
	if err != nil {
		return err
	}
	p.Style, p.Script = template.CSS(PageStyle), template.JS(script)
	if err := pageTemplate.Execute(w, p); err != nil {
		return fmt.Errorf("write HTML: %w", err)
	}
	return nil
}

// drawn returns the diagram of a failure as part of a page. It is well-formed
// whatever came over the wire: diagram.SVG escapes it.
func drawn(h *verdict.Header, s *verdict.ScenarioVerdict) (template.HTML, error) {
	d := sequence.Window(sequence.Of(h.Role, s.Event))
	d.Name = s.ID
	var b strings.Builder
	if err := diagram.SVG(&b, d); err != nil {
		return "", fmt.Errorf("draw %q: %w", s.ID, err)
	}
	return template.HTML(b.String()), nil
}
