package protocol

// Browser names one of the two browsers that the daemon serves. The zero value
// means that none was named.
type Browser string

// The browsers of omw.v1. The daemon holds at most one connection of each
// (ROUTE-01).
const (
	Chrome  Browser = "chrome"
	Firefox Browser = "firefox"
)

// Browsers lists the browsers in the order in which a session without a
// binding is offered to them (ROUTE-08).
var Browsers = [...]Browser{Chrome, Firefox}

// Other returns the browser that b is not.
func (b Browser) Other() Browser {
	if b == Chrome {
		return Firefox
	}
	return Chrome
}

// Title returns the name as people write it.
func (b Browser) Title() string {
	switch b {
	case Chrome:
		return "Chrome"
	case Firefox:
		return "Firefox"
	}
	return "no browser"
}

func parseBrowser(s string) (Browser, bool) {
	for _, b := range Browsers {
		if string(b) == s {
			return b, true
		}
	}
	return "", false
}
