package player

import (
	"github.com/oh-my-webbridge/omw/sim/page"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// siteOf returns the pages that the tape gives to a browser, nil if it gives
// none: some at addresses of their own, and one that is everywhere else.
func (p *play) siteOf(name string) page.Site {
	at := page.Map{}
	sites := []page.Site{at}
	found := false
	for i := range p.t.Lines {
		l := &p.t.Lines[i]
		f, ok := p.t.File(l.Word(0))
		if l.Actor != name || l.Verb != "page" || !ok {
			continue
		}
		found = true
		if url, ok := l.Arg("url"); ok {
			at[url] = f.Text
		} else {
			sites = append(sites, page.Inline(f.Text))
		}
	}
	if !found {
		return nil
	}
	return page.Sites(sites...)
}

// page says that the browser has a page, which it has since it first acted.
func (b *browser) page(l *tape.Line) error {
	b.p.note(b.name, "has the page "+l.Word(0), "")
	return nil
}
