package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// waitMargin is what a wait for a time needs beside that time: the hops to the
// page and back keep back a little each.
const waitMargin = time.Second

func waitVerb() *verb {
	return &verb{
		name: "wait", action: "wait", short: "Wait for an element, a text, a URL, a load state or a time",
		long: `WHAT is told by how it looks: digits alone are milliseconds, load and domcontentloaded load
states, what holds :// is a URL pattern, and anything else is a reference or CSS, until an
element matches and is visible. The flags say it plainly. --gone waits until it is not there.`,
		examples: []string{"wait @e5", "wait '.spinner' --gone", "wait --text 'Thank you'", "wait 'https://*/done'", "wait load", "wait 1500"},
		words:    []word{{name: "WHAT", fills: waitConditions, take: takeWait}},
		end:      timeForWait,
	}
}

var waitConditions = []string{"text", "selector", "url", "ms", "load"}

func takeWait(r *request, text string) error {
	load, _ := r.argument("load")
	switch {
	case text == "":
		return errors.New("WHAT is empty")
	case strings.Trim(text, "0123456789") == "":
		return r.set("ms", text)
	case text != "true" && slices.Contains(load.Enum, text):
		return r.set("load", text)
	case strings.Contains(text, "://"):
		return r.set("url", text)
	}
	return r.set("selector", text)
}

// timeForWait gives a wait for a time more of it than the time itself: with less
// it could only end in outcome_unknown.
func timeForWait(p *program, r *request) error {
	if !r.has("ms") {
		return nil
	}
	ms, err := strconv.ParseInt(r.text("ms"), 10, 32)
	if err != nil {
		return nil // The schema says what is wrong with it.
	}
	needed, longest := time.Duration(ms)*time.Millisecond+waitMargin, protocol.DefaultLimits().MaxTimeout
	switch {
	case needed <= time.Duration(p.asked.timeout):
		return nil
	case needed > longest:
		return fmt.Errorf("%d ms do not fit into the longest --timeout, %s, with the %s that the way there and back may take", ms, longest, waitMargin)
	case p.asked.flags.Changed("timeout"):
		return fmt.Errorf("%d ms do not fit into --timeout %s; it takes %s or more", ms, time.Duration(p.asked.timeout), needed)
	}
	p.asked.timeout = patient(needed)
	return nil
}
