package page

import "time"

// Rule is what a page does by script when something happens to one of its
// elements. The zero fields of a rule do nothing.
type Rule struct {
	// URL is a pattern as the wire's (* for any characters, else a part) that the
	// document's URL fits; empty fits all.
	URL string
	// On is the event: click, dblclick, input, change, submit, focus, keydown,
	// mouseover, load or beforeunload.
	On string
	// Selector picks the elements, by CSS; empty picks the document itself.
	Selector string

	// Dialog opens a dialog: "alert:Text", "confirm:Text", "prompt:Text" or
	// "prompt:Text|default". A confirm or a prompt that is dismissed prevents what
	// the event would do.
	Dialog string
	// Prevent prevents what the event would do.
	Prevent bool
	// Console writes a record: "error:Text" and so on; without a level it is log.
	Console string
	// Navigate goes to a URL.
	Navigate string
	// After is how long what follows waits; the page's clock is the program's.
	After time.Duration
	// Target picks what HTML, Remove, Show and Hide are about; the element of the
	// event if it is empty.
	Target string
	// HTML replaces what is in the target.
	HTML string
	// Remove takes the target away, Hide sets its hidden attribute, Show takes
	// that away.
	Remove, Hide, Show bool
}

// dueChange is something that a page will do by itself.
type dueChange struct {
	at time.Time
	do func(c *call)
}

// settle does what is due on b by now.
func (c *call) settle(b *tab) {
	for d := b.doc(); d != nil; d = b.doc() {
		do := d.takeDue(time.Now())
		if do == nil {
			return
		}
		do(c)
		c.follow()
	}
}

// takeDue takes what is due next; nil if nothing is.
func (d *document) takeDue(now time.Time) func(c *call) {
	least := -1
	for i, next := range d.due {
		if !next.at.After(now) && (least < 0 || next.at.Before(d.due[least].at)) {
			least = i
		}
	}
	if least >= 0 {
		do := d.due[least].do
		d.due = append(d.due[:least:least], d.due[least+1:]...)
		return do
	}
	for _, f := range d.frames {
		if do := f.takeDue(now); do != nil {
			return do
		}
	}
	return nil
}

// never is longer than any command waits.
const never = time.Duration(1<<63 - 1)

// nextDue is how long it takes until the page does something by itself.
func (d *document) nextDue() time.Duration {
	least := never
	for _, next := range d.due {
		least = min(least, max(0, time.Until(next.at)))
	}
	for _, f := range d.frames {
		least = min(least, f.nextDue())
	}
	return least
}
