package chrome_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// One owner a tab: no session acts in another's, nor in the person's (TAB-01).
func keepsTabsApart(t *testing.T, r *rig) {
	url := serve(t, html("<title>Mine</title>"))
	one, two := r.session(t, "one"), r.session(t, "two")
	mine := one.open(url)

	_, err := two.Snapshot(two.ctx(), client.SnapshotArgs{})
	refused(t, protocol.NoTab, err)
	_, err = two.Snapshot(two.ctx(), client.SnapshotArgs{Tab: new(mine.Tab)})
	refused(t, protocol.TabTaken, err)
	all, err := two.Tabs(two.ctx(), client.TabsArgs{All: true})
	require.NoError(t, err)
	var front client.TabInfo
	for _, tab := range all.Tabs {
		if tab.Title == "Front" {
			front = tab
		}
	}
	require.NotZero(t, front.Tab, "the person's tab is listed")
	require.Empty(t, front.Session)
	_, err = two.Evaluate(two.ctx(), client.EvaluateArgs{Code: "1", Tab: new(front.Tab)})
	refused(t, protocol.Permission, err)
	_, err = two.Evaluate(two.ctx(), client.EvaluateArgs{Code: "1", Tab: new(int64(1) << 40)})
	refused(t, protocol.TabGone, err)

	other, err := one.Navigate(one.ctx(), client.NavigateArgs{URL: url, NewTab: true})
	require.NoError(t, err)
	require.NotEqual(t, mine.Tab, other.Tab)
	tabs, err := one.Tabs(one.ctx(), client.TabsArgs{})
	require.NoError(t, err)
	require.Len(t, tabs.Tabs, 2)
	require.False(t, tabs.Tabs[0].Current)
	require.True(t, tabs.Tabs[1].Current)
	left, err := one.CloseTab(one.ctx(), client.CloseTabArgs{})
	require.NoError(t, err)
	require.Len(t, left.Tabs, 1)
	require.Equal(t, mine.Tab, left.Tabs[0].Tab)
	require.True(t, left.Tabs[0].Current)
}

func closesWhatItOpened(t *testing.T, r *rig) {
	url := serve(t, html("<title>Closing</title>"))
	s := r.session(t, "closing")
	first := s.open(url)
	second, err := s.Navigate(s.ctx(), client.NavigateArgs{URL: url, NewTab: true, GroupTitle: new("Two tabs")})
	require.NoError(t, err)
	held, err := s.Sessions(s.ctx())
	require.NoError(t, err)
	require.Contains(t, held.Sessions, client.SessionsSession{Session: "closing", Tabs: new(int64(2)), Current: new(second.Tab), Waiting: new(int64(0))})

	closed, err := s.CloseSession(s.ctx())
	require.NoError(t, err)
	require.ElementsMatch(t, []int64{first.Tab, second.Tab}, closed.Closed)
	all, err := s.Tabs(s.ctx(), client.TabsArgs{All: true})
	require.NoError(t, err)
	for _, tab := range all.Tabs {
		require.NotContains(t, closed.Closed, tab.Tab)
	}
	status, err := r.agent.Status(s.ctx())
	require.NoError(t, err)
	require.NotContains(t, status.Sessions, "closing")
}

// A tab that the person closed is gone for its session, and no neighbour takes
// its place.
func TestATabThatThePersonCloses(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	url := serve(t, html("<title>Closed by hand</title>"))
	s := r.session(t, "hand")
	kept := s.open(url)
	closed, err := s.Navigate(s.ctx(), client.NavigateArgs{URL: url + "?closed", NewTab: true})
	require.NoError(t, err)

	targets, err := chromedp.Targets(in(t, r.ctx))
	require.NoError(t, err)
	for _, target := range targets {
		if target.URL == url+"?closed" {
			page, cancel := chromedp.NewContext(r.ctx, chromedp.WithTargetID(target.TargetID))
			require.NoError(t, chromedp.Do(page), "the person looks at the tab")
			require.NoError(t, chromedp.Cancel(page), "and closes it")
			cancel()
		}
	}
	eventually(t, "the end of the tab", func() bool {
		tabs, err := s.Tabs(s.ctx(), client.TabsArgs{})
		return err == nil && len(tabs.Tabs) == 1
	})
	_, err = s.Snapshot(s.ctx(), client.SnapshotArgs{})
	refused(t, protocol.TabGone, err)
	_, err = s.Snapshot(s.ctx(), client.SnapshotArgs{Tab: new(closed.Tab)})
	refused(t, protocol.TabGone, err)
	_, err = s.Snapshot(s.ctx(), client.SnapshotArgs{Tab: new(kept.Tab)})
	require.NoError(t, err)
	require.NotEqual(t, closed.Tab, s.open(url).Tab, "navigate opens a new one")
}
