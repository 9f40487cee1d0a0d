package main

// verbsOfTabs are the verbs for the tabs of a session, and for sessions.
func verbsOfTabs() []*verb {
	tab := one("TAB", "tab")
	return []*verb{
		{
			name: "tabs", aliases: []string{"list_tabs"}, action: "tabs", short: "List the session's tabs",
			examples: []string{"tabs", "tabs --all"},
		},
		{
			name: "switch", aliases: []string{"switch_tab"}, action: "switch_tab", short: "Make a tab the current one and show it",
			examples: []string{"switch 12"}, words: []word{tab},
		},
		{
			name: "borrow", action: "borrow", short: "Borrow a tab of the person, who is asked",
			long:     "Without TAB it is the tab in front. `omw tabs --all` lists them.",
			examples: []string{"borrow", "borrow 12 --timeout 60s"}, words: []word{maybe(tab)},
		},
		{
			name: "release", action: "release", short: "Give a borrowed tab back", examples: []string{"release", "release 12"},
			words: []word{maybe(tab)},
		},
		closeVerb(),
		{name: "sessions", action: "sessions", short: "List the sessions of the browser", examples: []string{"sessions"}},
	}
}
