package chrome_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// Every action, each scenario in a session of its own, all at once in one browser,
// in tabs that are never shown.
func TestActions(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.visit(t, serve(t, html("<title>Front</title>")))
	t.Run("", func(t *testing.T) {
		for name, scenario := range map[string]func(*testing.T, *rig){
			"places an order":                    placesAnOrder,
			"navigates":                          navigates,
			"takes plain HTTP":                   takesPlainHTTP,
			"travels":                            travels,
			"clicks and types":                   clicksAndTypes,
			"says what stands in the way":        saysWhatStandsInTheWay,
			"refuses stale references":           refusesStaleReferences,
			"evaluates":                          evaluates,
			"evaluates once":                     evaluatesOnce,
			"evaluates to much":                  evaluatesToMuch,
			"takes pictures":                     takesPictures,
			"answers a dialog":                   answersADialog,
			"closes a page that asks to stay":    closesAPageThatAsksToStay,
			"loads a page that greets":           loadsAPageThatGreets,
			"keeps tabs apart":                   keepsTabsApart,
			"closes what it opened":              closesWhatItOpened,
			"says what it cannot do":             saysWhatItCannotDo,
			"reads frames and shadow trees":      readsFramesAndShadowTrees,
			"keeps passwords out of the picture": keepsPasswords,
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				scenario(t, r)
			})
		}
	})
	front, err := chromedp.Run(in(t, r.ctx), chromedp.Evaluate[string](`document.title + " " + document.visibilityState`))
	require.NoError(t, err)
	require.Equal(t, "Front visible", front, "nobody raised a tab (TAB-10)")
}
