package page

import (
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// dialog is an open dialog of a tab: alert, confirm, prompt or beforeunload. What
// the page does after it waits in then.
type dialog struct {
	kind, message, preset string
	then                  func(c *call, accepted bool, text string)
}

// dialogShown is common.json's dialog.
type dialogShown struct {
	Type      string `json:"type"`
	Message   string `json:"message"`
	Dismissed bool   `json:"dismissed,omitzero"`
}

func (d *dialog) shown() dialogShown { return dialogShown{Type: d.kind, Message: d.message} }

// raise opens a dialog on b; the command that did so answers with it (TAB-12).
// A tab shows one dialog at a time: a second one waits for the first.
func (c *call) raise(b *tab, d *dialog) {
	c.t.effect(b, "dialog", d.kind, d.message)
	if first := b.dialog; first != nil {
		then := first.then
		first.then = func(c *call, accepted bool, text string) {
			if then != nil {
				then(c, accepted, text)
			}
			b.dialog, c.raised = d, d
		}
		return
	}
	b.dialog, c.raised = d, d
}

// noDialog refuses a command on a tab whose dialog is open.
func (c *call) noDialog(b *tab) error {
	if d := b.dialog; d != nil {
		return fail(protocol.DialogOpen, "a dialog of the page is open (%s: %q); answer it with dialog first", d.kind, d.message)
	}
	return nil
}

// answer closes the dialog of b and lets the page go on.
func (c *call) answer(b *tab, accepted bool, text string) *dialog {
	d := b.dialog
	if d == nil {
		return nil
	}
	b.dialog = nil
	detail := "dismissed"
	if accepted {
		detail = "accepted"
	}
	c.t.effect(b, "dialog_closed", d.kind, detail)
	if d.then != nil {
		d.then(c, accepted, text)
	}
	return d
}

// dismiss closes an open dialog as Escape does.
func (c *call) dismiss(b *tab) {
	if c.answer(b, false, "") != nil {
		c.follow()
	}
}

func (c *call) answerDialog(b *tab) (any, error) {
	text := c.text("text")
	if d := b.dialog; d != nil && !c.has("text") {
		text = d.preset
	}
	d := c.answer(b, c.flag("accept"), text)
	if d == nil {
		return nil, fail(protocol.NotFound, "no dialog is open on that tab")
	}
	c.follow()
	// What the page raises behind it is the next command's to meet: the data of
	// dialog say which one was answered.
	c.raised = nil
	return d.shown(), nil
}
