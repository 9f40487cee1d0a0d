package mutants

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/target"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// simulated returns the mutants of the simulated extension that a setting makes.
func simulated() []Mutant {
	all := append(extensionLimits(), bySetting()...)
	for i := range all {
		all[i].Role, all[i].Lane = ledger.Extension, ledger.Virtual
	}
	return append(all, simulator()...)
}

// simulator returns the mutants of the simulator as an emulation of the browsers.
func simulator() []Mutant {
	var all []Mutant
	for _, m := range []struct {
		name, target, breaks string
		change               func(*sim.Profile)
	}{
		{"ask-first", "sim:firefox", "Firefox opens its socket without asking.", func(p *sim.Profile) { p.AskFirst = false }},
		{"asks-too-much", "sim:chrome", "Chrome asks before its socket, as Firefox does.", func(p *sim.Profile) { p.AskFirst = true }},
		{"preflight", "sim:chrome", "Chrome asks for the reason without a preflight.", func(p *sim.Profile) { p.Preflight = false }},
		{"origin", "sim:firefox", "Firefox sends an Origin with GET.", func(p *sim.Profile) { p.OriginOnGet = true }},
		{"site", "sim:chrome", "Chrome's requests say same-origin.", func(p *sim.Profile) { p.Site = "same-origin" }},
		{"files", "sim:firefox", "Firefox may open files.", func(p *sim.Profile) { p.FileAccess = true }},
		{"unsupported", "sim:firefox", "Firefox can do everything.", func(p *sim.Profile) { p.Unsupported = nil }},
		{"suspend-code", "sim:chrome", "A background that is stopped takes no leave.", func(p *sim.Profile) { p.SuspendCode = 0 }},
		{"no-ping", "sim:chrome", "It does not ping.", func(p *sim.Profile) { p.Limits.Ping = 0 }},
		{"queue", "sim:chrome", "Its queue has no end.", func(p *sim.Profile) { p.Limits.Waiting = 1000 }},
		{"back-off", "sim:chrome", "It tries again every half second.", func(p *sim.Profile) { p.Limits.BackoffMax = p.Limits.BackoffMin }},
		{"alarm", "sim:chrome", "Its alarm fires once a minute.", func(p *sim.Profile) { p.Alarm = time.Minute }},
	} {
		all = append(all, Mutant{
			Name: "KIT-06-" + m.name, Rule: "KIT-06", Role: ledger.Sim, Target: m.target, Lane: ledger.Virtual,
			Breaks: m.breaks, Simulated: profile(m.change),
		})
	}
	return all
}

// extension returns the simulated extension of a mutant.
func (m *Mutant) extension() (target.Target, error) {
	_, browser, _ := strings.Cut(m.target(), ":")
	s, err := target.Sim(browser)
	if err != nil {
		return nil, err
	}
	if m.Simulated.Change != nil {
		m.Simulated.Change(s)
	}
	if m.Simulated.Wrap != nil {
		return m.Simulated.Wrap(s), nil
	}
	return s, nil
}

// wideStep are the steps of the extension's limits where the least one cannot be
// seen: chance decides within the back-off's bounds.
var wideStep = map[string]time.Duration{"BackoffMax": 15 * time.Second}

// sharedByExtension names the rules that lean on a limit of another one, and why.
var sharedByExtension = map[string]map[string]string{
	"Waiting": {"CMD-16": "a place that is free again is seen when all others are taken"},
}

// extensionLimits returns the mutants of each limit that the extension keeps,
// one step less and one step more.
func extensionLimits() []Mutant {
	var all []Mutant
	t := reflect.TypeFor[protocol.ExtensionLimits]()
	for i := range t.NumField() {
		f := t.Field(i)
		by := step(f)
		if wide, ok := wideStep[f.Name]; ok {
			by = int64(wide)
		}
		for _, by := range []int64{-by, by} {
			all = append(all, Mutant{
				Name: fmt.Sprintf("%s-%s%s", f.Tag.Get("rule"), f.Name, amount(f, by)), Rule: f.Tag.Get("rule"),
				Breaks:     fmt.Sprintf("The limit %s is off by %s.", f.Name, amount(f, by)),
				Collateral: sharedByExtension[f.Name],
				Simulated: &Simulated{Change: func(s *target.Simulated) {
					field := reflect.ValueOf(&s.Profile.Limits).Elem().FieldByName(f.Name)
					field.SetInt(field.Int() + by)
				}},
			})
		}
	}
	return all
}

// profile is a mutant of the browser's profile, config one of what the browser
// is told beside it.
func profile(change func(*sim.Profile)) *Simulated {
	return &Simulated{Change: func(s *target.Simulated) { change(&s.Profile) }}
}

func config(change func(*sim.Config)) *Simulated {
	return &Simulated{Change: func(s *target.Simulated) { s.Change = change }}
}

// answers is a mutant whose browser makes something else of some commands.
func answers(by func(sim.Start) (sim.Reply, bool)) *Simulated {
	return config(func(c *sim.Config) {
		well := c.Respond
		c.Respond = func(ctx context.Context, s sim.Start) sim.Reply {
			if r, ok := by(s); ok {
				return r
			}
			return well(ctx, s)
		}
	})
}

// onTab reports whether a command names a tab.
func onTab(s sim.Start) bool {
	_, ok := protocol.Arg(s.Args, "tab")
	return ok
}

// without returns the profile's unsupported actions, changed.
func unsupported(change func(map[string]string)) *Simulated {
	return profile(func(p *sim.Profile) {
		some := map[string]string{}
		for name, why := range p.Unsupported {
			some[name] = why
		}
		change(some)
		p.Unsupported = some
	})
}

func bySetting() []Mutant {
	return []Mutant{
		{Rule: "LIFE-01", Name: "LIFE-01-never", Breaks: "It never pings.", Collateral: map[string]string{
			"LIFE-02": "a daemon answers pings alone, and an extension that hears nothing closes",
		}, Simulated: profile(func(p *sim.Profile) { p.Limits.Ping = 0 })},
		{Rule: "LIFE-02", Name: "LIFE-02-never", Breaks: "It never gives up.", Simulated: profile(func(p *sim.Profile) { p.Limits.Silence = 0 })},
		{
			Rule: "LIFE-03", Name: "LIFE-03-minute", Breaks: "The alarm fires once a minute.",
			Collateral: afterAStop,
			Simulated:  profile(func(p *sim.Profile) { p.Alarm = time.Minute }),
		},
		{Rule: "LIFE-03", Name: "LIFE-03-Alarm-2ns", Breaks: "The alarm fires 2 ns early.", Simulated: profile(func(p *sim.Profile) { p.Alarm -= 2 })},
		{
			Rule: "LIFE-03", Name: "LIFE-03-Alarm+2ns", Breaks: "The alarm fires 2 ns late.",
			Collateral: afterAStop,
			Simulated:  profile(func(p *sim.Profile) { p.Alarm += 2 }),
		},
		{Rule: "LIFE-07", Name: "LIFE-07-globals", Breaks: "Sessions live in the background, and end with it.", Simulated: &Simulated{Wrap: forgetful}},
		{Rule: "ROUTE-03", Name: "ROUTE-03-no-sessions", Breaks: "hello names no session.", Collateral: map[string]string{
			"LIFE-07": "what the extension holds after a stop is seen in its hello",
		}, Simulated: config(func(c *sim.Config) {
			c.Hello = new(`{"type":"hello","browser":"chrome","browser_version":"156","extension_version":"1","sessions":[],"file_access":true}`)
		})},
		{Rule: "ROUTE-03", Name: "ROUTE-03-version", Breaks: "hello names no version of the browser.", Simulated: profile(func(p *sim.Profile) { p.BrowserVersion = "" })},
		{Rule: "ROUTE-03", Name: "ROUTE-03-other-browser", Breaks: "hello names the other browser.", Collateral: map[string]string{
			"LIFE-07": "such a hello is made by hand and names no session",
		}, Simulated: config(func(c *sim.Config) {
			c.Hello = new(`{"type":"hello","browser":"firefox","browser_version":"156","extension_version":"1","sessions":[],"file_access":true}`)
		})},
		{Rule: "AUTH-20", Name: "AUTH-20-unasked", Breaks: "It asks for no proof.", Simulated: config(func(c *sim.Config) { c.SocketOnly = true })},
		{
			Rule: "AUTH-04", Name: "AUTH-04-other-origin", Breaks: "The Origin is no extension's.",
			Collateral: map[string]string{"ROUTE-03": "the browser of a hello is compared with that of the Origin"},
			Simulated:  profile(func(p *sim.Profile) { p.Origin = "https://example.org" }),
		},
		{Rule: "LIMIT-09", Name: "LIMIT-09-SendQueue-32M", Breaks: "It holds 32 MiB of frames.", Simulated: profile(func(p *sim.Profile) { p.SendQueue -= 32 << 20 })},
		{Rule: "LIMIT-09", Name: "LIMIT-09-SendQueue+32M", Breaks: "It holds 96 MiB of frames.", Simulated: profile(func(p *sim.Profile) { p.SendQueue += 32 << 20 })},
		{Rule: "LIMIT-09", Name: "LIMIT-09-SendStall-2ns", Breaks: "It gives up 2 ns early.", Simulated: profile(func(p *sim.Profile) { p.SendStall -= 2 })},
		{Rule: "LIMIT-09", Name: "LIMIT-09-SendStall+2ns", Breaks: "It gives up 2 ns late.", Simulated: profile(func(p *sim.Profile) { p.SendStall += 2 })},
		{Rule: "LIMIT-09", Name: "LIMIT-09-never", Breaks: "It never gives up sending.", Simulated: profile(func(p *sim.Profile) { p.SendStall = 0 })},
		{Rule: "LIMIT-06", Name: "LIMIT-06-error", Breaks: "What would open a 33rd tab is an internal error.", Simulated: answers(noMoreTabs())},
		{Rule: "TAB-01", Name: "TAB-01-anybody", Breaks: "A tab's commands are anybody's.", Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Data(`{"value":1}`), s.Action == "wait" && onTab(s)
		})},
		{Rule: "TAB-01", Name: "TAB-01-gone", Breaks: "A tab that is gone is answered as one that another session has.", Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Fail(protocol.TabTaken, "no"), s.Action == "evaluate" && s.Session == "mail" && onTab(s)
		}), Collateral: map[string]string{"TAB-03": "a tab that close_session closed is gone for everybody"}},
		{Rule: "TAB-03", Name: "TAB-03-unasked", Breaks: "Commands reach a tab of the person's.", Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Data(`{"text":"","nodes":0,"truncated":false,"url":"","title":""}`), s.Action == "snapshot" && onTab(s) && s.Session == "shop"
		})},
		{Rule: "TAB-03", Name: "TAB-03-keeps", Breaks: "release does nothing.", Collateral: map[string]string{
			"TAB-01": "another session borrows what was given back",
		}, Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Data(`{"tabs":[]}`), s.Action == "release"
		})},
		{Rule: "TAB-03", Name: "TAB-03-tells-nothing", Breaks: "close_session does not say what it closed and released.", Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Data(`{"closed":[],"released":[]}`), s.Action == "close_session"
		})},
		{
			Rule: "TAB-08", Name: "TAB-08-pretends", Target: "sim:firefox", Breaks: "Firefox answers ok to what it cannot do.",
			Simulated: unsupported(func(m map[string]string) { delete(m, "hover") }),
		},
		{
			Rule: "TAB-08", Name: "TAB-08-headers", Target: "sim:firefox", Breaks: "Firefox cannot do what it can.",
			Simulated: unsupported(func(m map[string]string) { m["headers"] = "nobody knows how" }),
		},
		{
			Rule: "TAB-08", Name: "TAB-08-chrome", Breaks: "Chrome answers unsupported to what it can do.",
			Simulated: unsupported(func(m map[string]string) { m["hover"] = "as in Firefox" }),
		},
		{Rule: "TAB-08", Name: "TAB-08-schema", Breaks: "A picture does not say how large it is.", Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Data(`{"base64":"AAAA","format":"png"}`), s.Action == "screenshot" && !onTab(s) && s.Session == "shop"
		})},
		{Rule: "LIMIT-10", Name: "LIMIT-10-empty", Breaks: "A picture is empty.", Simulated: answers(func(s sim.Start) (sim.Reply, bool) {
			return sim.Data(`{"base64":"","format":"png","width":1,"height":1}`), s.Action == "screenshot" && strings.HasPrefix(s.Session, "picture")
		})},
	}
}

// afterAStop are the rules whose scenarios wait for the alarm.
var afterAStop = map[string]string{"LIFE-07": "what survives a stopped background is seen when its alarm has brought it back"}

// noMoreTabs answers the 33rd navigate of a session with internal.
func noMoreTabs() func(sim.Start) (sim.Reply, bool) {
	return func(s sim.Start) (sim.Reply, bool) {
		fresh, _ := protocol.Arg(s.Args, "new_tab")
		return sim.Fail(protocol.Internal, "no"), s.Action == "navigate" && string(fresh) == "true" && s.ID == "c33"
	}
}

// forgetful returns an extension whose background takes everything with it when
// it is stopped: the browser that comes back knows nothing.
func forgetful(s *target.Simulated) target.Target { return &amnesiac{s} }

type amnesiac struct{ *target.Simulated }

func (a *amnesiac) Open(ctx context.Context, setup target.BrowserSetup) (target.Browser, error) {
	b, err := a.Simulated.Open(ctx, setup)
	if err != nil {
		return nil, err
	}
	return &fresh{Browser: b, again: func() (target.Browser, error) { return a.Simulated.Open(ctx, setup) }}, nil
}

// fresh is a browser in whose place another one comes at each alarm.
type fresh struct {
	target.Browser
	again func() (target.Browser, error)
	timer *time.Timer
	came  chan error
}

func (f *fresh) Died() error { return nil }

func (f *fresh) Suspend(ctx context.Context) error {
	if err := f.back(); err != nil {
		return err
	}
	if err := f.Browser.Suspend(ctx); err != nil {
		return err
	}
	if err := f.Browser.Release(ctx); err != nil {
		return err
	}
	f.came = make(chan error, 1)
	f.timer = time.AfterFunc(sim.Chrome.Alarm, func() {
		b, err := f.again()
		if err == nil {
			f.Browser = b
		}
		f.came <- err
	})
	return nil
}

// back waits for the browser that is about to come, if one is.
func (f *fresh) back() error {
	if f.timer == nil || f.timer.Stop() {
		return nil
	}
	f.timer = nil
	return <-f.came
}

func (f *fresh) Release(ctx context.Context) error {
	if err := f.back(); err != nil {
		return err
	}
	return f.Browser.Release(ctx)
}
