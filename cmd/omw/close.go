package main

import (
	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// presentTab is what --tab says without a value.
const presentTab = "current"

func closeVerb() *verb {
	var tab string
	return &verb{
		name: "close", aliases: []string{"close_session", "close_tab"}, action: "close_tab", short: "End the session, or close one of its tabs",
		long: `Without TAB the session ends: the tabs that it opened are closed, those it borrowed are given
back. It goes past the session's queue.`,
		examples: []string{"close", "close -s shop", "close --tab", "close --tab 12"},
		words:    []word{maybe(one("TAB", "tab"))},
		hidden:   []string{"tab"},
		flags: func(fs *pflag.FlagSet, _ *request) {
			fs.StringVar(&tab, "tab", "", "close this `tab`, and not the session; the current one if none is named")
			fs.Lookup("tab").NoOptDefVal = presentTab
		},
		begin: func(_ *program, r *request) error {
			if !r.flags.Changed("tab") || tab == presentTab {
				return nil
			}
			return r.set("tab", tab)
		},
		end: func(_ *program, r *request) error {
			if !r.flags.Changed("tab") && !r.has("tab") {
				r.action, _ = protocol.LookupAction("close_session")
			}
			return nil
		},
	}
}
