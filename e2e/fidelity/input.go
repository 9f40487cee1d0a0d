package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
)

// errGone is returned when the page went away under a step.
var errGone = errors.New("the page has no such element")

// do takes a step as a person's input would: by mouse and keys, and by script
// where a person would use a picker of the browser's own.
func (t *tab) do(ctx context.Context, s generate.Step) error {
	id, ok := t.byID[s.ID]
	if !ok {
		return fmt.Errorf("%s: %w", s, errGone)
	}
	switch s.Verb {
	case generate.Type, generate.Append:
		return t.write(ctx, id, s)
	case generate.Check:
		on, err := evaluate[bool](ctx, t, id, `function() { return this.checked }`)
		if err != nil || on == s.Checked {
			return err
		}
		return t.click(ctx, id)
	case generate.Select:
		_, err := evaluate[bool](ctx, t, id, `function({values}) {
			for (const o of this.options) o.selected = values.includes(o.value)
			this.dispatchEvent(new Event("input", {bubbles: true}))
			this.dispatchEvent(new Event("change", {bubbles: true}))
			return true
		}`, map[string]any{"values": append([]string{}, s.Values...)})
		return err
	case generate.Enter:
		if _, err := evaluate[bool](ctx, t, id, `function() { this.focus(); return true }`); err != nil {
			return err
		}
		return chromedp.Do(ctx, chromedp.KeyEvent(kb.Enter))
	default:
		return t.click(ctx, id)
	}
}

// write types into an element.
func (t *tab) write(ctx context.Context, id cdp.BackendNodeID, s generate.Step) error {
	byScript, err := evaluate[bool](ctx, t, id, `function({text, append}) {
		if (["date", "time", "month", "week", "datetime-local", "color", "range"].includes(this.type)) {
			this.value = text
			this.dispatchEvent(new Event("input", {bubbles: true}))
			this.dispatchEvent(new Event("change", {bubbles: true}))
			return true
		}
		this.focus()
		const selection = this.ownerDocument.getSelection()
		if (!this.select) selection.selectAllChildren(this)
		else if (append) this.setSelectionRange(this.value.length, this.value.length)
		else this.select()
		return false
	}`, map[string]any{"text": s.Text, "append": s.Verb == generate.Append})
	if err != nil || byScript {
		return err
	}
	if s.Text == "" {
		return chromedp.Do(ctx, chromedp.KeyEvent(kb.Delete))
	}
	_, err = chromedp.Call(ctx, input.InsertText, input.InsertTextParams{Text: s.Text})
	return err
}

// click presses the left button in the middle of the element's largest box.
func (t *tab) click(ctx context.Context, id cdp.BackendNodeID) error {
	if _, err := chromedp.Call(ctx, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: id}); err != nil {
		return fmt.Errorf("scroll to the element: %w", err)
	}
	boxes, err := chromedp.Call(ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: id})
	if err != nil {
		return fmt.Errorf("find the element: %w", err)
	}
	x, y, most := 0.0, 0.0, -1.0
	for _, q := range boxes.Quads {
		if area := (q[4] - q[0]) * (q[5] - q[1]); area > most {
			x, y, most = (q[0]+q[4])/2, (q[1]+q[5])/2, area
		}
	}
	if most < 0 {
		return errors.New("the element has no box")
	}
	return chromedp.Do(ctx, chromedp.MouseClickXY(x, y))
}

// evaluate calls a function with the element as this. An argument is an object:
// the protocol's client leaves out one that is empty.
func evaluate[T any](ctx context.Context, t *tab, id cdp.BackendNodeID, function string, args ...any) (T, error) {
	var none T
	node, err := chromedp.Call(ctx, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id})
	if err != nil {
		return none, fmt.Errorf("resolve the element: %w", err)
	}
	return chromedp.Run(ctx, chromedp.CallFunctionOn[T](function, func(p *runtime.CallFunctionOnParams) {
		p.ObjectID = node.Object.ObjectID
		p.ExecutionContextID = 0
	}, args...))
}

// settle lets the page do what the last step made it schedule: form submission
// is a task of the page (HTML 4.10.22.3, step "plan to navigate").
func (t *tab) settle(ctx context.Context) error {
	_, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`new Promise(done => setTimeout(() => setTimeout(() => done(true))))`, chromedp.EvalAwaitPromise))
	return err
}
