package main

func extractVerb() *verb {
	return &verb{
		name: "extract", aliases: []string{"text"}, action: "extract", short: "Read elements, or the whole page, as text",
		long:     "TARGET is CSS, or one or more references of a snapshot.",
		examples: []string{"extract", "extract article --format markdown", "text @e5 @e9"},
		words: []word{{name: "TARGET", fills: []string{"refs", "selector"}, optional: true, rest: true, take: func(r *request, text string) error {
			if isReference(text) {
				return r.set("refs", text)
			}
			return r.set("selector", text)
		}}},
	}
}
