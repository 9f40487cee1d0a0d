package main

import (
	"context"
	"fmt"
	"github.com/chromedp/chromedp"
	"github.com/oh-my-webbridge/omw/sim/page/generate"
	"github.com/stretchr/testify/require"
	"os"
	"slices"
	"strconv"
	"testing"
)

func TestOracle(t *testing.T) {
	b, err := startBrowser(context.Background())
	require.NoError(t, err)
	defer func() { require.NoError(t, b.Close()) }()
	n, _ := strconv.Atoi(os.Getenv("N"))
	if n == 0 {
		n = 20
	}
	first, _ := strconv.Atoi(os.Getenv("S"))
	tb, err := newTab(b.ctx)
	require.NoError(t, err)
	_ = chromedp.Do
	c := &chromium{tab: tb, site: newSite()}
	defer c.site.server.Close()
	o := &oracle{}
	total, bad := 0, 0
	kinds := map[string]int{}
	ex := map[string]string{}
	say := func(kind, detail string) {
		bad++
		kinds[kind]++
		if kinds[kind] <= 2 {
			ex[kind] += "\n      " + detail
		}
	}
	for s := first; s < first+n; s++ {
		p := generate.New(uint64(s))
		for k, sc := range p.Scripts(3, false) {
			rc, err := visit(tb.ctx, c, p, sc)
			if err != nil {
				t.Logf("seed %d script %d: %v", s, k, err)
				continue
			}
			ro, _ := visit(context.Background(), o, p, sc)
			for ph, pair := range [][2][]node{{rc.Before, ro.Before}, {rc.After, ro.After}} {
				if k > 0 && ph == 0 {
					continue
				}
				by := map[string]node{}
				for _, x := range pair[0] {
					if _, ok := by[x.ID]; !ok && x.ID != "" {
						by[x.ID] = x
					}
				}
				for _, x := range pair[1] {
					total++
					y, ok := by[x.ID]
					w := fmt.Sprintf("seed %d/%d/%d %s: oracle %+v chromium %+v", s, k, ph, x.ID, x, y)
					switch {
					case !ok:
						say("missing "+x.Role+" "+x.Tag, w)
					case x.Role != "" && x.Role != y.Role:
						say("role "+x.Role+"/"+y.Role, w)
					case x.Name != y.Name:
						say("name "+y.Role, w)
					case x.Value != y.Value:
						say("value "+y.Role, w)
					case !slices.Equal(x.States, y.States):
						say(fmt.Sprint("states ", x.Role, x.States, y.States), w)
					}
				}
			}
			total++
			if fmt.Sprintf("%+v", norm(rc.Requests)) != fmt.Sprintf("%+v", norm(ro.Requests)) {
				say("request", fmt.Sprintf("seed %d/%d %v\n        oracle %+v\n        chromium %+v", s, k, sc, ro.Requests, rc.Requests))
			}
		}
	}
	fmt.Println("total", total, "bad", bad)
	for k, v := range kinds {
		fmt.Println(v, k, ex[k])
	}
}
func norm(r []request) []request {
	r = slices.Clone(r)
	for i := range r {
		if r[i].Enctype == generate.Multipart {
			r[i].Body = ""
		}
	}
	return r
}
