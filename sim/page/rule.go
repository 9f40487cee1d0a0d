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
	do func()
}

// settle does what is due by now.
func (d *document) settle() {
	for _, f := range d.frames {
		f.settle()
	}
	now := time.Now()
	for i := 0; i < len(d.due); i++ {
		if next := d.due[i]; !next.at.After(now) {
			d.due = append(d.due[:i:i], d.due[i+1:]...)
			i--
			next.do()
		}
	}
}

// nextDue is how long it takes until the page does something by itself.
func (d *document) nextDue() time.Duration {
	least := time.Duration(1<<63 - 1)
	for _, next := range d.due {
		least = min(least, max(0, time.Until(next.at)))
	}
	for _, f := range d.frames {
		least = min(least, f.nextDue())
	}
	return least
}
