package main

// mainFrame is the word for the main frame. A frame of the page that has this
// name is named by --frame.
const mainFrame = "main"

func frameVerb() *verb {
	return &verb{
		name: "frame", action: "frame", short: "Choose the frame that later commands address",
		long:     "FRAME is a reference of a snapshot, a frame's name or a part of its URL; main, or nothing, is the main frame.",
		examples: []string{"frame @e7", "frame checkout", "frame main"},
		words: []word{{name: "FRAME", fills: []string{"frame"}, optional: true, take: func(r *request, text string) error {
			if text == mainFrame {
				return nil
			}
			return r.set("frame", text)
		}}},
	}
}
