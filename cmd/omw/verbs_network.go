package main

// verbsOfNetwork are the verbs for what lies behind the page.
func verbsOfNetwork() []*verb {
	rules := one("RULES", "rules")
	return []*verb{
		{
			name: "network", action: "network", short: "List the requests of the page, or read an answer",
			examples: []string{"network", "network list --filter '*/api/*' --limit 20", "network body r12", "network clear"},
			variants: cmds(
				variant{name: "list", short: "The requests; it need not be said"},
				variant{name: "body", short: "The body of an answer", words: []word{one("ID", "id")}},
				variant{name: "clear", short: "Forget them"},
			),
		},
		{
			name: "console", action: "console", short: "List what the page wrote to its console",
			examples: []string{"console", "console list --level error", "console clear"},
			variants: cmds(
				variant{name: "list", short: "The records; it need not be said"},
				variant{name: "clear", short: "Forget them"},
			),
		},
		{
			name: "cookies", action: "cookies", short: "Read, set or clear cookies of the tab's site",
			examples: []string{"cookies", "cookies get theme", "cookies set theme dark --secure", "cookies clear"},
			variants: cmds(
				variant{name: "get", short: "The cookies; it need not be said", words: []word{maybe(one("NAME", "name"))}},
				variant{name: "set", short: "Set one", words: []word{one("NAME", "name"), one("VALUE", "value")}},
				variant{name: "clear", short: "Clear them, or the one", words: []word{maybe(one("NAME", "name"))}},
			),
		},
		{
			name: "downloads", action: "downloads", short: "List downloads, wait for one, or cancel one",
			examples: []string{"downloads", "downloads wait --timeout 120s", "downloads cancel 3"},
			variants: cmds(
				variant{name: "list", short: "The downloads; it need not be said"},
				variant{name: "wait", short: "Until it is complete: the one named, else the next", words: []word{maybe(one("ID", "id"))}},
				variant{name: "cancel", short: "Cancel it", words: []word{one("ID", "id")}},
			),
		},
		{
			name: "presets", action: "presets", short: "Block or redirect requests of the tab",
			long:     "RULES is a JSON array. set replaces the rules that the tab has.",
			examples: []string{`presets set '[{"url":"*.ads.example/*","block":true}]'`, "presets", "presets clear"},
			variants: ruled("presets", rules),
		},
		{
			name: "headers", action: "headers", short: "Change headers of the tab's requests and answers",
			long:     "RULES is a JSON array; null takes a header away. set replaces the rules that the tab has.",
			examples: []string{`headers set '[{"url":"*","request":{"X-Trial":"1","Referer":null}}]'`, "headers", "headers clear"},
			variants: ruled("headers", rules),
		},
		{
			name: "cdp", action: "cdp", short: "Send a command of the Chrome DevTools Protocol to the tab",
			long:     "It needs Chrome. PARAMS is a JSON object.",
			examples: []string{`cdp Page.captureSnapshot '{"format":"mhtml"}' --json`},
			words:    []word{one("METHOD", "method"), maybe(one("PARAMS", "params"))},
		},
	}
}

// cmds gives each variant the cmd of its name.
func cmds(all ...variant) []variant {
	for i := range all {
		all[i].fixed = append(all[i].fixed, given{key: "cmd", values: []string{all[i].name}})
	}
	return all
}

// ruled are the variants of an action that keeps rules.
func ruled(what string, rules word) []variant {
	return cmds(
		variant{name: "list", short: "The " + what + " in force; it need not be said"},
		variant{name: "set", short: "Replace them", words: []word{rules}},
		variant{name: "clear", short: "Drop them"},
	)
}
