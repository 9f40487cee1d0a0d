package page

import (
	"io"
	"strings"

	"github.com/andybalholm/cascadia"
	input "github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// styled is one rule of a style sheet that shows or hides: the only properties that
// are read are display and visibility (and content-visibility: hidden as display:
// none).
type styled struct {
	sel   cascadia.Sel
	decls declarations
}

// declarations are what a rule or a style attribute says; "" says nothing.
type declarations struct {
	display, visibility         string
	displayHard, visibilityHard bool
}

func (s *declarations) set(name, value string, important bool) {
	value = strings.ToLower(value)
	switch name {
	case "display":
		if important || !s.displayHard {
			s.display, s.displayHard = value, important
		}
	case "visibility":
		if important || !s.visibilityHard {
			s.visibility, s.visibilityHard = value, important
		}
	case "content-visibility":
		if value == "hidden" {
			s.set("display", "none", important)
		}
	}
}

// style reads the style sheets of the document.
func (d *document) style() {
	for n := range elements(d.root) {
		if is(n, atom.Style) {
			d.sheet(rawText(n))
		}
	}
}

// sheet adds the rules of a style sheet. Of media queries all and screen hold.
func (d *document) sheet(text string) {
	p := css.NewParser(input.NewInputString(text), false)
	var sels []cascadia.Sel
	var decls declarations
	skipped, depth := 0, 0
	for {
		grammar, _, data := p.Next()
		switch grammar {
		case css.ErrorGrammar:
			if p.Err() == io.EOF {
				return
			}
		case css.BeginAtRuleGrammar:
			depth++
			if skipped == 0 && !onScreen(string(data), p.Values()) {
				skipped = depth
			}
		case css.EndAtRuleGrammar:
			if skipped == depth {
				skipped = 0
			}
			depth--
		case css.QualifiedRuleGrammar:
			sels = append(sels, selectors(p.Values())...)
		case css.BeginRulesetGrammar:
			sels = append(sels, selectors(p.Values())...)
			decls = declarations{}
		case css.DeclarationGrammar:
			value, important := declared(p.Values())
			decls.set(strings.ToLower(string(data)), value, important)
		case css.EndRulesetGrammar:
			if skipped == 0 && decls != (declarations{}) {
				for _, sel := range sels {
					d.styles = append(d.styles, styled{sel: sel, decls: decls})
				}
			}
			sels = nil
		}
	}
}

// onScreen reports whether the rules in an at-rule hold on a screen.
func onScreen(name string, values []css.Token) bool {
	if !strings.EqualFold(name, "@media") {
		return strings.EqualFold(name, "@layer") || strings.EqualFold(name, "@supports")
	}
	query := strings.ToLower(strings.TrimSpace(joined(values)))
	return query == "" || query == "all" || query == "screen" || query == "only screen"
}

func joined(values []css.Token) string {
	var b strings.Builder
	for _, v := range values {
		b.Write(v.Data)
	}
	return b.String()
}

// selectors compiles the selectors of a rule that the library knows.
func selectors(values []css.Token) []cascadia.Sel {
	group, err := cascadia.ParseGroup(joined(values))
	if err != nil {
		return nil
	}
	return group
}

func declared(values []css.Token) (value string, important bool) {
	text := strings.TrimSpace(joined(values))
	bare, important := strings.CutSuffix(text, "!important")
	return strings.TrimSpace(bare), important
}

// computed is what the sheets and the style attribute say of an element.
func (d *document) computed(n *html.Node) declarations {
	if d.cache == nil {
		return d.compute(n)
	}
	got, ok := d.cache.styles[n]
	if !ok {
		got = d.compute(n)
		d.cache.styles[n] = got
	}
	return got
}

func (d *document) compute(n *html.Node) declarations {
	var got declarations
	var displayAt, visibilityAt cascadia.Specificity
	for _, s := range d.styles {
		if !s.sel.Match(n) {
			continue
		}
		at := s.sel.Specificity()
		if s.decls.display != "" && (s.decls.displayHard && !got.displayHard || s.decls.displayHard == got.displayHard && !at.Less(displayAt)) {
			got.display, got.displayHard, displayAt = s.decls.display, s.decls.displayHard, at
		}
		if s.decls.visibility != "" && (s.decls.visibilityHard && !got.visibilityHard || s.decls.visibilityHard == got.visibilityHard && !at.Less(visibilityAt)) {
			got.visibility, got.visibilityHard, visibilityAt = s.decls.visibility, s.decls.visibilityHard, at
		}
	}
	if inline, ok := lookup(n, "style"); ok {
		p := css.NewParser(input.NewInputString(inline), true)
		for {
			grammar, _, data := p.Next()
			if grammar == css.ErrorGrammar && p.Err() == io.EOF {
				break
			}
			if grammar == css.DeclarationGrammar {
				value, important := declared(p.Values())
				got.set(strings.ToLower(string(data)), value, important)
			}
		}
	}
	return got
}
