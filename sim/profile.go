package sim

import (
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Profile says how one browser's extension behaves. It is plain data: copy
// Chrome or Firefox and change what a test needs.
type Profile struct {
	// Browser, BrowserVersion and ExtensionVersion are what hello says.
	Browser          protocol.Browser
	BrowserVersion   string
	ExtensionVersion string
	// Origin is sent with the upgrade and with POST requests.
	Origin string
	// FileAccess is hello's file_access: the extension may open files by path.
	FileAccess bool

	// Limits are the numbers that the extension keeps. A Ping or a Silence of
	// zero means never: an extension that never pings, one that never gives up.
	Limits protocol.ExtensionLimits
	// SilenceCode is the close code after Limits.Silence without a message.
	SilenceCode int
	// Alarm is the period of the alarm that reconnects a background which the
	// browser has stopped (LIFE-03).
	Alarm time.Duration
	// SuspendCode is the close code that the browser sends when it stops the
	// background, or its process is killed; 0 means that the socket goes without
	// a close frame.
	SuspendCode int

	// SendBuffer is how many bytes the socket takes before frames queue, and
	// SendQueue how many may queue then; SendStall is how long nothing may go
	// out before the extension closes its socket (LIMIT-09).
	SendBuffer, SendQueue int64
	SendStall             time.Duration

	// AskFirst asks GET /ping for a proof and POST /extension for the reason
	// before every socket, since this browser delays sockets after failed ones;
	// otherwise they are asked after an upgrade that failed.
	AskFirst bool
	// Site is the Sec-Fetch-Site of its HTTP requests. OriginOnGet sends the
	// Origin with GET requests too. Preflight sends an OPTIONS request first
	// where CORS asks for one.
	Site        string
	OriginOnGet bool
	Preflight   bool

	// Unsupported names the actions that this browser has no equivalent for,
	// each with what is missing.
	Unsupported map[string]string
}

// sendLimits are those of LIMIT-09.
const (
	sendBuffer = 4 << 20
	sendQueue  = 64 << 20
	sendStall  = 30 * time.Second
)

// Chrome is the extension in Chrome, where the background is a service worker.
var Chrome = Profile{
	Browser:          protocol.Chrome,
	BrowserVersion:   "156.0.8078.114",
	ExtensionVersion: "1.0.0",
	Origin:           "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
	FileAccess:       true,
	Limits:           protocol.DefaultExtensionLimits(),
	SilenceCode:      3008,
	Alarm:            30 * time.Second,
	SuspendCode:      1001,
	SendBuffer:       sendBuffer,
	SendQueue:        sendQueue,
	SendStall:        sendStall,
	Site:             "cross-site",
	OriginOnGet:      true,
	Preflight:        true,
}

// Firefox is the extension in Firefox, where the background is an event page.
var Firefox = Profile{
	Browser:          protocol.Firefox,
	BrowserVersion:   "153.0.1",
	ExtensionVersion: "1.0.0",
	Origin:           "moz-extension://3f2504e0-4f89-41d3-9a0c-0305e82c3301",
	FileAccess:       false,
	Limits:           protocol.DefaultExtensionLimits(),
	SilenceCode:      3008,
	Alarm:            30 * time.Second,
	SuspendCode:      1001,
	SendBuffer:       sendBuffer,
	SendQueue:        sendQueue,
	SendStall:        sendStall,
	AskFirst:         true,
	Site:             "same-origin",
	Unsupported: map[string]string{
		"pdf":        "tabs.saveAsPDF opens a file picker and hands over no bytes",
		"hover":      "no WebExtension API raises the :hover state of an element",
		"cdp":        "there is no chrome.debugger",
		"cdp_detach": "there is no chrome.debugger",
	},
}

// ProfileOf returns Chrome or Firefox; false for any other browser.
func ProfileOf(b protocol.Browser) (Profile, bool) {
	switch b {
	case protocol.Chrome:
		return Chrome, true
	case protocol.Firefox:
		return Firefox, true
	}
	return Profile{}, false
}
