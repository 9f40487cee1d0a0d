package report

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// claim is what a badge says of a run: a word, and the name that shields.io has
// for its colour.
type claim struct {
	label, message, color string
	// wrong is true if the run is no verdict on the target.
	wrong bool
}

func claimOf(s *verdict.Stream, v *verdict.Verdict) claim {
	c := claim{label: s.Header.Protocol + " " + string(s.Header.Role)}
	kept, judged := 0, 0
	for i := range v.Rules {
		switch m := v.Rules[i].Mark; {
		case m == verdict.Kept || m == verdict.Part:
			kept++
			judged++
		case len(v.Rules[i].Of) > 0:
			judged++
		}
	}
	switch v.Exit {
	case verdict.Conformant:
		c.message, c.color = fmt.Sprintf("conformant, %d rules", kept), "brightgreen"
		if kept < judged {
			c.message, c.color = fmt.Sprintf("%d of %d rules shown", kept, judged), "green"
		}
		if v.Expected+v.Flaky > 0 {
			c.message, c.color = fmt.Sprintf("%d of %d rules, known failures", kept, judged), "yellow"
		}
	case verdict.Nonconformant:
		c.message, c.color = fmt.Sprintf("%d of %d rules broken", v.Broken(), judged), "red"
	case verdict.Stale:
		c.message, c.color = "expectations out of date", "orange"
	case verdict.Died:
		c.message, c.color, c.wrong = "target failed", "lightgrey", true
	case verdict.NotRun:
		c.message, c.color, c.wrong = "did not run", "lightgrey", true
	default:
		c.message, c.color, c.wrong = "suite failed", "lightgrey", true
	}
	return c
}

// shields writes the answer that shields.io asks an endpoint for.
func shields(w io.Writer, s *verdict.Stream, v *verdict.Verdict) error {
	c := claimOf(s, v)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	err := e.Encode(struct {
		Schema  int    `json:"schemaVersion"`
		Label   string `json:"label"`
		Message string `json:"message"`
		Color   string `json:"color"`
		Wrong   bool   `json:"isError,omitempty"`
	}{1, c.label, c.message, c.color, c.wrong})
	if err != nil {
		return fmt.Errorf("write badge: %w", err)
	}
	return nil
}

// paints are the colours of a badge's message. White text on each has a
// contrast of at least 4.5.
var paints = map[string]string{
	"brightgreen": "#1a7f37", "green": "#3f7a1f", "yellow": "#8a6100", "orange": "#b04a00", "red": "#c4262e", "lightgrey": "#5f6670",
}

// badge writes a picture.
func badge(b *strings.Builder, s *verdict.Stream, v *verdict.Verdict) {
	c := claimOf(s, v)
	// Verdana's mean, with some room: textLength makes it exact everywhere.
	wide := func(text string) int { return len([]rune(text))*13/2 + 1 }
	left, right := wide(c.label)+12, wide(c.message)+12
	all := left + right
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">`+"\n",
		all, xmlText(c.label), xmlText(c.message))
	fmt.Fprintf(b, "<title>%s: %s</title>\n", xmlText(c.label), xmlText(c.message))
	fmt.Fprintf(b, `<clipPath id="omw-badge"><rect width="%d" height="20" rx="4"/></clipPath>`+"\n", all)
	fmt.Fprintf(b, `<g clip-path="url(#omw-badge)"><rect width="%d" height="20" fill="#333a45"/><rect x="%d" width="%d" height="20" fill="%s"/></g>`+"\n",
		left, left, right, paints[c.color])
	b.WriteString(`<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11" text-anchor="middle">` + "\n")
	fmt.Fprintf(b, `<text x="%d" y="14" textLength="%d">%s</text>`+"\n", left/2, left-12, xmlText(c.label))
	fmt.Fprintf(b, `<text x="%d" y="14" textLength="%d">%s</text>`+"\n", left+right/2, right-12, xmlText(c.message))
	b.WriteString("</g>\n</svg>\n")
}

// xmlText escapes a text for an element or an attribute.
func xmlText(s string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(s)) // a strings.Builder never fails
	return b.String()
}
