package sim

import (
	"context"
	"time"

	"github.com/oh-my-webbridge/omw/sim/page"
)

// newPages returns the tabs of the browser. They outlive a connection, as a
// browser's do.
func (b *Browser) newPages() *page.Tabs {
	return page.New(page.Config{
		Site: b.cfg.Site, MadeUp: !b.cfg.SiteOnly, PersonTabs: b.cfg.PersonTabs, Sessions: b.cfg.Sessions, StrictTabs: b.cfg.StrictTabs,
		Limits: b.profile.Limits, Rules: b.cfg.Rules, Values: b.cfg.Values, Keep: b.cfg.Keep,
		Browser: page.Browser{
			Name: b.profile.Browser, Version: b.profile.BrowserVersion, ExtensionVersion: b.profile.ExtensionVersion,
			FileAccess: b.profile.FileAccess,
		},
	})
}

// CloseTab closes a tab as the person does, whoever has it; false if there is
// no such tab.
func (b *Browser) CloseTab(id int64) bool { return b.pages.CloseTab(id) }

// Effects returns what the actions did to the pages so far, the oldest first; the
// last ones alone if Config.Keep bounds them.
func (b *Browser) Effects() []page.Effect { return b.pages.Effects() }

// perform is what the simulated browser makes of a started command.
func (b *Browser) perform(t *task) Reply {
	left := time.Until(t.own)
	ctx := pageContext{t.ctx, t.own.Add(-margin(left, b.profile.Limits.Margin))}
	r := b.pages.Do(ctx, t.start.Session, t.start.Action, t.start.Args)
	switch {
	case r.Err != nil:
		return Reply{kind: replyFail, failure: r.Err}
	case r.Content != nil:
		return Encoded(r.Content, string(r.Data))
	}
	return Reply{kind: replyData, data: r.Data}
}

// pageContext is a command's context with the page's own deadline, which comes
// before the extension's (CMD-16). It has no timer: who waits for an element looks
// at the deadline, and the extension's own ends everything else.
type pageContext struct {
	context.Context
	end time.Time
}

func (c pageContext) Deadline() (time.Time, bool) { return c.end, true }
