package extension

import (
	"context"
	"fmt"
	"strconv"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerManners adds the sentences that set the scene:
//
//	the extension is connected                   started, and welcomed by a good daemon
//	the extension is started                     … and comes or does not
//	the person has the tabs "https://a.example/" and "https://b.example/"
//	the extension is that of Firefox             else the scenario is unobservable
//	a daemon that refuses everybody with 409     before it is started
//	a daemon that refuses the socket alone with 409
//	a daemon that answers GET /ping with "no proof"
//	a daemon that resets every connection        cuts every upgrade
//	a daemon that closes with 1001 before it welcomes
//	a daemon that never welcomes | answers no ping
//	the daemon becomes one that …                from now on
//	the daemon becomes a good one
func registerManners(sc Sentences, x *ext) {
	const manner = `(refuses everybody with [0-9]{3}|refuses the socket alone with [0-9]{3}|answers GET /ping with ".*"|` +
		`resets every connection|cuts every upgrade|closes with [0-9]{4} before it welcomes|never welcomes|answers no ping)`
	sc.Given(`^the extension is connected$`, x.connects)
	sc.Given(`^the extension is started$`, x.start)
	sc.Given(`^the extension is that of (Chrome|Firefox)$`, x.isThatOf)
	sc.Given(`^the person has the tabs? (`+words.Quoted+`(?: and `+words.Quoted+`)*)$`, func(text string) error {
		for _, q := range words.QuotedText.FindAllString(text, -1) {
			url, err := strconv.Unquote(q)
			if err != nil {
				return err
			}
			x.setup.PersonTabs = append(x.setup.PersonTabs, url)
		}
		return nil
	})
	sc.Given(`^a daemon that `+manner+`$`, x.behaves)
	sc.When(`^the daemon becomes one that `+manner+`$`, x.behaves)
	sc.When(`^the daemon becomes a good one$`, func(ctx context.Context) error { return x.behave(ctx, sim.Manners{}) })
}

func (x *ext) isThatOf(name string) error {
	b, err := x.browser()
	if err != nil {
		return err
	}
	if want := browserNamed(name); b != want {
		return target.Hidden("the extension under test is that of %s, and this is about %s", b.Title(), want.Title())
	}
	return nil
}

func (x *ext) behaves(ctx context.Context, manner string) error {
	m, err := mannersOf(manner)
	if err != nil {
		return err
	}
	return x.behave(ctx, m)
}

func (x *ext) behave(ctx context.Context, m sim.Manners) error {
	x.manners = m
	d, err := x.daemon(ctx)
	if err != nil {
		return err
	}
	d.Behave(m)
	return nil
}

func mannersOf(text string) (m sim.Manners, err error) {
	var n int
	var q string
	switch {
	case scans(text, "refuses everybody with %d", &n):
		m.Refuse = n
	case scans(text, "refuses the socket alone with %d", &n):
		m.RefuseSocket = n
	case scans(text, "answers GET /ping with %q", &q):
		m.Ping = sim.Ping(q)
	case scans(text, "closes with %d before it welcomes", &n):
		m.CloseCode = n
	case text == "resets every connection":
		m.Reset = true
	case text == "cuts every upgrade":
		m.CutUpgrade = true
	case text == "never welcomes":
		m.NoWelcome = true
	case text == "answers no ping":
		m.NoPong = true
	default:
		err = fmt.Errorf("nobody knows a daemon that %s", text)
	}
	return m, err
}

// scans reports whether the text has that form, and reads what stands in it.
func scans(text, form string, into ...any) bool {
	_, err := fmt.Sscanf(text, form, into...)
	return err == nil
}
