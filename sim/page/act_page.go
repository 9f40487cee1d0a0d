package page

import (
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// onPage are the actions on a tab that has a document.
var onPage map[string]func(c *call, b *tab) (any, error)

func init() {
	onPage = map[string]func(c *call, b *tab) (any, error){
		"back":       func(c *call, b *tab) (any, error) { return c.move(b, -1) },
		"forward":    func(c *call, b *tab) (any, error) { return c.move(b, 1) },
		"reload":     func(c *call, b *tab) (any, error) { return c.move(b, 0) },
		"snapshot":   (*call).snapshot,
		"click":      (*call).click,
		"dblclick":   (*call).dblclick,
		"hover":      (*call).hover,
		"focus":      (*call).focus,
		"type":       (*call).typeText,
		"press":      (*call).pressKey,
		"select":     (*call).selectOptions,
		"check":      (*call).check,
		"scroll":     (*call).scrollBy,
		"drag":       (*call).drag,
		"upload":     (*call).upload,
		"dialog":     (*call).answerDialog,
		"evaluate":   (*call).evaluate,
		"frame":      (*call).chooseFrame,
		"wait":       (*call).wait,
		"extract":    (*call).extract,
		"screenshot": (*call).screenshot,
		"pdf":        (*call).pdf,
		"network":    (*call).network,
		"console":    (*call).console,
		"presets":    (*call).setRules,
		"headers":    (*call).setRules,
		"cookies":    (*call).cookies,
		"downloads":  (*call).downloads,
		"cdp": func(*call, *tab) (any, error) {
			return nil, fail(protocol.Unsupported, "the simulated browser has no DevTools behind its pages")
		},
	}
}
