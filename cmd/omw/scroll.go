package main

func scrollVerb() *verb {
	return &verb{
		name: "scroll", action: "scroll", short: "Scroll the page or an element, or to an element",
		long:     "WHERE is up, down, left or right, or a reference, which is brought into view.",
		examples: []string{"scroll down", "scroll up 300", "scroll @e40", "scroll down --selector '#list'"},
		words: []word{
			{name: "WHERE", fills: []string{"direction", "to"}, take: func(r *request, text string) error {
				if isReference(text) {
					return r.set("to", text)
				}
				return r.set("direction", text)
			}},
			maybe(one("AMOUNT", "amount")),
		},
	}
}
