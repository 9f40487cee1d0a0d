package generate_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/page/generate"
	"github.com/oh-my-webbridge/omw/sim/page/generate/visit"
)

// seeds is how many pages each property is asked on.
const seeds = 200

func each(t *testing.T, property func(t *testing.T, p *generate.Page)) {
	t.Parallel()
	for seed := range uint64(seeds) {
		property(t, generate.New(seed))
		if t.Failed() {
			t.Logf("the page of seed %d", seed)
			return
		}
	}
}

func TestASeedGivesTheSamePage(t *testing.T) {
	each(t, func(t *testing.T, p *generate.Page) {
		again := generate.New(p.Seed)
		require.Equal(t, p.HTML, again.HTML)
		require.Equal(t, p.Scripts(3, true), again.Scripts(3, true))
		require.NotEqual(t, p.HTML, generate.New(p.Seed+1).HTML)
	})
}

// unreferenced are the roles without a reference in a snapshot: their element
// cannot be found from outside.
var unreferenced = []string{"list", "listitem", "table", "row", "rowgroup"}

// agree asks that a snapshot holds every element that the standards give a role,
// with its name, value and states, and none that is hidden.
func agree(t *testing.T, s *generate.State, shown []visit.Node, where string) {
	byID := map[string]visit.Node{}
	for _, n := range shown {
		if _, twice := byID[n.ID]; !twice && n.ID != "" {
			byID[n.ID] = n
		}
	}
	for _, id := range s.Unexposed() {
		require.NotContains(t, byID, id, "%s: %s is hidden", where, id)
	}
	for _, want := range visit.Expected(s) {
		if slices.Contains(unreferenced, want.Role) || want.Role == "" && !slices.Contains([]string{"input", "summary", "iframe"}, want.Tag) {
			continue
		}
		got, ok := byID[want.ID]
		require.True(t, ok, "%s: %+v is not in the snapshot", where, want)
		got.States = slices.DeleteFunc(got.States, func(w string) bool {
			return w == "focused" || w == "readonly" && slices.Contains(got.States, "disabled")
		})
		if want.Role == "" {
			want.Role = got.Role
		}
		if want.Role == "cell" && got.Name == "" {
			want.Name = "" // a cell that holds elements is not named again
		}
		if !slices.Contains([]string{"input", "textarea", "select", "progress", "meter"}, want.Tag) {
			want.Value, got.Value = "", ""
		}
		want.Frame, got.Frame = "", ""
		require.ElementsMatch(t, want.States, got.States, "%s: %s", where, want.ID)
		want.States, got.States = nil, nil
		require.Equal(t, want, got, where)
	}
}

func TestSnapshotsHoldWhatTheStandardsSay(t *testing.T) {
	each(t, func(t *testing.T, p *generate.Page) {
		sim := &visit.Simulator{}
		require.NoError(t, sim.Load(t.Context(), p))
		shown, err := sim.Nodes(t.Context())
		require.NoError(t, err)
		agree(t, p.Begin(), shown, fmt.Sprintf("seed %d", p.Seed))
	})
}

func TestStepsHaveTheEffectsThatTheStandardsName(t *testing.T) {
	each(t, func(t *testing.T, p *generate.Page) {
		for i, script := range p.Scripts(3, true) {
			play(t, p, script, fmt.Sprintf("seed %d, script %d", p.Seed, i))
		}
	})
}

// play takes the steps of a script and asks of each that it has its effect, once,
// and no other.
func play(t *testing.T, p *generate.Page, script generate.Script, where string) {
	ctx := context.Background()
	sim, state := &visit.Simulator{}, p.Begin()
	require.NoError(t, sim.Load(ctx, p))
	_, err := sim.Nodes(ctx)
	require.NoError(t, err)
	for i, step := range script {
		at := fmt.Sprintf("%s, %s", where, step)
		want := state.Do(step)
		_, err := sim.Do(ctx, step)
		if want.Refused != "" {
			require.Error(t, err, "%s: it is %s", at, want.Refused)
		} else {
			require.NoError(t, err, at)
		}
		if want.Request != nil && want.Request.Method == "GET" && visit.Sent(want.Request).Query == "" && visit.Sent(want.Request).Path == p.Path() {
			return // the page itself, in a new tab: its loads are not written down
		}
		if want.Request != nil {
			require.Equal(t, []visit.Request{visit.Sent(want.Request)}, bodiless(sim.Requests(ctx)), at)
			return
		}
		require.Empty(t, sim.Requests(ctx), at)
		if left := want.Refused == "" && step.Verb == generate.Click; left && len(want.Invalid) == 0 && want.Fragment == "" && i == len(script)-1 {
			return // it may have gone where nobody listens
		}
		shown, err := sim.Nodes(ctx)
		require.NoError(t, err, at)
		agree(t, state, shown, at)
	}
}

// bodiless takes away the bodies whose form is free.
func bodiless(requests []visit.Request) []visit.Request {
	requests = slices.Clone(requests)
	for i := range requests {
		if requests[i].Enctype == generate.Multipart {
			requests[i].Body = ""
		}
	}
	return requests
}
