package protocol

import "github.com/go-json-experiment/json/jsontext"

// TEMPORARY: replaced by the schema compiler.
type schema struct{}

func (s *schema) check(jsontext.Value) error { return nil }

func (a *Action) PathArg(args jsontext.Value) string { return "" }

var table = map[string]*Action{}

func init() {
	for _, n := range []string{"navigate", "back", "forward", "reload", "snapshot", "click", "dblclick", "hover", "focus", "type", "press", "select", "check", "scroll", "drag", "upload", "evaluate", "frame", "wait", "extract", "screenshot", "pdf", "network", "console", "presets", "headers", "cookies", "downloads", "borrow", "release", "close_tab", "switch_tab"} {
		table[n] = &Action{Name: n, Binds: true}
	}
	for _, n := range []string{"tabs", "sessions", "status"} {
		table[n] = &Action{Name: n}
	}
	table["close_session"] = &Action{Name: "close_session", Reserved: true}
	table["dialog"] = &Action{Name: "dialog", Reserved: true, Binds: true}
	table["cdp"] = &Action{Name: "cdp", Binds: true, ChromeOnly: true}
	table["cdp_detach"] = &Action{Name: "cdp_detach", Reserved: true, Binds: true, ChromeOnly: true}
	table["artifact_read"] = &Action{Name: "artifact_read", Internal: true}
	table["artifact_close"] = &Action{Name: "artifact_close", Internal: true, Reserved: true}
}

// LookupAction returns the action with that name or alias.
func LookupAction(name string) (*Action, bool) { a, ok := table[name]; return a, ok }

func publicNames() []string {
	var out []string
	for n, a := range table {
		if !a.Internal {
			out = append(out, n)
		}
	}
	return out
}
