package extension

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
)

// registerTabs adds the sentences about tabs:
//
//	the session "shop" has the tabs of A and B   these alone, as tabs says
//	the session "shop" has 32 tabs
//	the extension has answered A with no_tab, since its session has no tab
//	the person's tab "https://a.example/" is borrowed by the session "shop"
//	the person's tab "https://a.example/" is nobody's but the person's
//	the close_session A has closed the tabs of B and C
//	the close_session A has released the person's tab "https://a.example/" | nothing
func registerTabs(sc Sentences, x *ext) {
	const names = `([A-Z][0-9]*(?:(?:, | and )[A-Z][0-9]*)*)`
	sc.Then(`^the extension has answered ([A-Z][0-9]*) with no_tab, since its session has no tab$`, x.hasNoTab)
	sc.Then(`^the session (`+words.Quoted+`) has the tabs? of `+names+`$`, x.hasTabs)
	sc.Then(`^the session (`+words.Quoted+`) has ([0-9]+) tabs?$`, x.countsTabs)
	sc.Then(`^the person's tab (`+words.Quoted+`) is borrowed by the session (`+words.Quoted+`)$`, x.isBorrowed)
	sc.Then(`^the person's tab (`+words.Quoted+`) is nobody's but the person's$`, x.isThePersons)
	sc.Then(`^the close_session ([A-Z][0-9]*) has closed (nothing|the tabs? of `+names+`)$`, x.closedTabs)
	sc.Then(`^the close_session ([A-Z][0-9]*) has released (nothing|the person's tab (`+words.Quoted+`))$`, x.releasedTab)
}

// hasNoTab is about what a seed does not say: a stranger may find a blank tab for
// a session's first command.
func (x *ext) hasNoTab(ctx context.Context, name string) error {
	o, ok := x.named[name]
	if !ok {
		return fmt.Errorf("the daemon has sent no command %s", name)
	}
	if r, ok := x.replyTo(ctx, o); ok && r.result.OK {
		return x.w.Allow("blank", "%s of session %q, which had no tab, was answered ok at %s: %s", o, o.session, x.at(r.at), quote(r.result))
	}
	return x.hasAnswered(ctx, name, "no_tab", "")
}

// tabInfo is what tabs says of one tab.
type tabInfo struct {
	Tab      int64  `json:"tab"`
	URL      string `json:"url"`
	Borrowed bool   `json:"borrowed"`
	Session  string `json:"session"`
}

// tabOf returns the tab that a navigate opened.
func (x *ext) tabOf(ctx context.Context, name string) (int64, error) {
	o, ok := x.named[name]
	if !ok {
		return 0, fmt.Errorf("the daemon has sent no command %s", name)
	}
	r, ok := x.replyTo(ctx, o)
	if !ok {
		return 0, fmt.Errorf("%s has no answer", o)
	}
	var data struct {
		Tab int64 `json:"tab"`
	}
	if err := json.Unmarshal(r.result.Data, &data); err != nil || data.Tab == 0 {
		return 0, fmt.Errorf("the answer of %s names no tab: %s", o, quote(r.result))
	}
	return data.Tab, nil
}

func (x *ext) tabsOf(ctx context.Context, who string) ([]int64, error) {
	var all []int64
	for _, name := range words.Several(who) {
		id, err := x.tabOf(ctx, name)
		if err != nil {
			return nil, err
		}
		all = append(all, id)
	}
	slices.Sort(all)
	return all, nil
}

// list asks for the tabs of a session, or for all.
func (x *ext) list(ctx context.Context, session, args string) ([]tabInfo, error) {
	o, r, err := x.ask(ctx, command{action: "tabs", session: session, args: jsontext.Value(args)})
	if err != nil {
		return nil, err
	}
	var data struct {
		Tabs []tabInfo `json:"tabs"`
	}
	if !r.OK || json.Unmarshal(r.Data, &data) != nil {
		return nil, fmt.Errorf("%s was answered %s: %s", o, outcome(r), quote(r))
	}
	return data.Tabs, nil
}

// personTab returns the tab of the person with that URL, in quotes.
func (x *ext) personTab(ctx context.Context, url string) (int64, error) {
	info, err := x.tabAt(ctx, url)
	return info.Tab, err
}

func (x *ext) tabAt(ctx context.Context, quotedURL string) (tabInfo, error) {
	url, err := strconv.Unquote(quotedURL)
	if err != nil {
		return tabInfo{}, err
	}
	all, err := x.list(ctx, "looks around", `{"all":true}`)
	if err != nil {
		return tabInfo{}, err
	}
	for _, t := range all {
		if t.URL == url {
			return t, nil
		}
	}
	return tabInfo{}, x.fail("tab-lost", x.conduct(), "the person's tab %s is not among the tabs of the browser: %+v", url, all)
}

func (x *ext) sessionsTabs(ctx context.Context, session string) ([]int64, error) {
	name, err := words.Session(session)
	if err != nil {
		return nil, err
	}
	infos, err := x.list(ctx, name, `{}`)
	if err != nil {
		return nil, err
	}
	var got []int64
	for _, t := range infos {
		got = append(got, t.Tab)
	}
	slices.Sort(got)
	return got, nil
}

func (x *ext) hasTabs(ctx context.Context, session, who string) error {
	want, err := x.tabsOf(ctx, who)
	if err != nil {
		return err
	}
	got, err := x.sessionsTabs(ctx, session)
	if err != nil {
		return err
	}
	if !slices.Equal(got, want) {
		return x.fail("tabs", x.conduct(), "the session %s has the tabs %v; want %v", session, got, want)
	}
	return nil
}

func (x *ext) countsTabs(ctx context.Context, session string, n int) error {
	got, err := x.sessionsTabs(ctx, session)
	if err != nil {
		return err
	}
	if len(got) != n {
		return x.fail("tab-count", x.conduct(), "the session %s has %d tabs; want %d", session, len(got), n)
	}
	return nil
}

func (x *ext) isBorrowed(ctx context.Context, url, session string) error {
	name, err := words.Session(session)
	if err != nil {
		return err
	}
	t, err := x.tabAt(ctx, url)
	if err != nil {
		return err
	}
	if !t.Borrowed || t.Session != name {
		return x.fail("not-borrowed", x.conduct(), "the tab %d at %s is said to be borrowed: %t, by %q; want it borrowed by %q", t.Tab, t.URL, t.Borrowed, t.Session, name)
	}
	return nil
}

func (x *ext) isThePersons(ctx context.Context, url string) error {
	t, err := x.tabAt(ctx, url)
	if err != nil {
		return err
	}
	if t.Borrowed || t.Session != "" {
		return x.fail("still-borrowed", x.conduct(), "the tab %d at %s is said to be borrowed: %t, by %q; want it given back", t.Tab, t.URL, t.Borrowed, t.Session)
	}
	return nil
}

// closing returns what a close_session said that it did.
func (x *ext) closing(ctx context.Context, name string) (closed, released []int64, err error) {
	o, ok := x.named[name]
	if !ok {
		return nil, nil, fmt.Errorf("the daemon has sent no command %s", name)
	}
	r, ok := x.replyTo(ctx, o)
	if !ok {
		return nil, nil, x.fail("unanswered", x.conduct(), "%s has no answer", o)
	}
	var data struct {
		Closed   []int64 `json:"closed"`
		Released []int64 `json:"released"`
	}
	if !r.result.OK || json.Unmarshal(r.result.Data, &data) != nil {
		return nil, nil, x.fail("not-closed", x.conduct(), "%s was answered %s: %s", o, outcome(r.result), quote(r.result))
	}
	slices.Sort(data.Closed)
	slices.Sort(data.Released)
	return data.Closed, data.Released, nil
}

func (x *ext) closedTabs(ctx context.Context, name, what, who string) error {
	closed, _, err := x.closing(ctx, name)
	if err != nil {
		return err
	}
	var want []int64
	if what != "nothing" {
		if want, err = x.tabsOf(ctx, who); err != nil {
			return err
		}
	}
	if !slices.Equal(closed, want) {
		return x.fail("closed", x.conduct(), "%s says that it closed the tabs %v; want %v", name, closed, want)
	}
	return nil
}

func (x *ext) releasedTab(ctx context.Context, name, what, url string) error {
	_, released, err := x.closing(ctx, name)
	if err != nil {
		return err
	}
	var want []int64
	if what != "nothing" {
		id, err := x.personTab(ctx, url)
		if err != nil {
			return err
		}
		want = []int64{id}
	}
	if !slices.Equal(released, want) {
		return x.fail("released", x.conduct(), "%s says that it released the tabs %v; want %v", name, released, want)
	}
	return nil
}
