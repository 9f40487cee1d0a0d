package page

import (
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Config says what Tabs are. The zero Config is a browser without any page.
type Config struct {
	// Site has the pages; nil serves none.
	Site Site
	// MadeUp gives every http, https and about URL that the Site does not serve a
	// small page that takes every action and has no DOM. Otherwise such a URL is
	// navigation_failed, and a new tab is an empty document.
	MadeUp bool
	// PersonTabs are the URLs of the tabs that the person has open. They are
	// loaded when a session first borrows and looks at them.
	PersonTabs []string
	// Sessions are the sessions held at the start, each with one blank tab.
	Sessions []string
	// StrictTabs answers no_tab for a session that has no tab yet. Otherwise its
	// first command on a page finds a blank one.
	StrictTabs bool
	// Limits are the extension's; Tabs is how many tabs a session has, 32 if 0.
	Limits protocol.ExtensionLimits
	// Browser is what the action status says.
	Browser Browser
	// Rules are what the pages do by script.
	Rules []Rule
	// Values is what evaluate answers, by the code with the blanks at its ends
	// removed.
	Values map[string]Value
	// Keep is how many effects are kept at least; 0 keeps all.
	Keep int
}

// Browser names the browser and its extension.
type Browser struct {
	Name             protocol.Browser
	Version          string
	ExtensionVersion string
	FileAccess       bool
}

// Value is what an expression gives: JSON, or the message of what it throws.
type Value struct {
	JSON   jsontext.Value
	Throws string
}

// Result is what comes of an action. Content is a picture or a PDF, whose Data
// then has no base64 yet. Err is nil if it succeeded.
type Result struct {
	Data    jsontext.Value
	Content []byte
	Err     *protocol.Error
}

// Effect is something that happened to a page because of an action.
type Effect struct {
	// Seq counts from 1 over all tabs.
	Seq     int
	At      time.Time
	Session string
	Tab     int64
	// Kind is one of: click, dblclick, contextmenu, hover, focus, keydown, input,
	// change, submit, reset, invalid, navigate, fetch, dialog, dialog_closed,
	// tab_opened, tab_closed, download, upload, scroll, drag, toggle, evaluate.
	Kind string
	// Target names the element as a person would, "button \"Buy\""; for navigate
	// and fetch it is the URL.
	Target string
	// Detail is what is special: the key, the entries of a form, the answer to a
	// dialog. Typed text never stands here.
	Detail string
}
