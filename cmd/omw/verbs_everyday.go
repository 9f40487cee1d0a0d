package main

// verbsEveryday are the verbs by which a page is looked at and acted on.
func verbsEveryday() []*verb {
	text := one("TEXT", "text")
	return []*verb{
		openVerb(),
		{name: "back", action: "back", short: "Go one page back", examples: []string{"back"}},
		{name: "forward", action: "forward", short: "Go one page forward", examples: []string{"forward"}},
		{name: "reload", action: "reload", short: "Load the page again", examples: []string{"reload"}},
		{
			name: "snapshot", action: "snapshot", short: "Read the page as text with references",
			long: `Each line is a node: its role, its name, and in brackets its state and its reference, as @e5,
which the other verbs take for the element. Passwords never appear.`,
			examples: []string{"snapshot", "snapshot -i", "snapshot @e7", "snapshot 'main form'"},
			words:    []word{maybe(target)}, letters: map[string]string{"interactive": "i"},
		},
		{
			name: "click", action: "click", short: "Click an element",
			long:     "It waits until the element is visible, stable, enabled and not covered.",
			examples: []string{"click @e5", "click 'button.buy' --modifiers Control"},
			words:    []word{target},
		},
		{name: "dblclick", action: "dblclick", short: "Double-click an element", examples: []string{"dblclick @e5"}, words: []word{target}},
		{name: "hover", action: "hover", short: "Move the pointer over an element", examples: []string{"hover @e5"}, words: []word{target}},
		{name: "focus", action: "focus", short: "Put the keyboard focus on an element", examples: []string{"focus @e5"}, words: []word{target}},
		{
			name: "type", aliases: []string{"fill"}, action: "type", short: "Type text into an element",
			long: `The text replaces what stands there; --mode append leaves it. Text that begins with - stands
behind --.`,
			examples: []string{"type @e5 'two of them'", "type '#q' shoes --submit", "type @e5 -- -1"},
			words:    []word{target, text},
		},
		pressVerb(),
		{
			name: "select", aliases: []string{"select_option"}, action: "select", short: "Select options of a list",
			long:     "By value or by label; every other option is deselected.",
			examples: []string{"select @e5 red", "select '#sizes' S 'XL (tall)'", "select @e5 --values="},
			words:    []word{target, {name: "VALUE", fills: []string{"values"}, rest: true}},
		},
		{
			name: "check", action: "check", short: "Check a check box, a radio button or a switch", examples: []string{"check @e5"},
			words: []word{target},
		},
		{
			name: "uncheck", action: "check", short: "Uncheck a check box or a switch", examples: []string{"uncheck @e5"},
			words: []word{target}, fixed: []given{{key: "checked", values: []string{"false"}}},
		},
		scrollVerb(),
		{
			name: "drag", action: "drag", short: "Drag an element onto another", examples: []string{"drag @e5 @e9"},
			words: []word{one("FROM", "from"), one("TO", "to")},
		},
		{
			name: "upload", action: "upload", short: "Put files into a file input",
			long:     "Paths are taken from the present directory.",
			examples: []string{"upload @e5 cv.pdf", "upload 'input[type=file]' a.png b.png"},
			words:    []word{target, {name: "FILE", fills: []string{"files"}, rest: true}},
		},
		{
			name: "dialog", action: "dialog", short: "Answer the open dialog of the page",
			long:         "It goes past the queue of the session, so that a page that a dialog holds can go on.",
			examples:     []string{"dialog accept", "dialog accept 'Ada Lovelace'", "dialog dismiss"},
			needsVariant: true,
			variants: []variant{
				{name: "accept", short: "OK, with TEXT for a prompt", words: []word{maybe(text)}, fixed: []given{{key: "accept", values: []string{"true"}}}},
				{name: "dismiss", short: "Cancel", fixed: []given{{key: "accept", values: []string{"false"}}}},
			},
		},
		evalVerb(),
		frameVerb(),
		waitVerb(),
		extractVerb(),
		screenshotVerb(),
		pdfVerb(),
	}
}
