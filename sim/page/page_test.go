package page_test

import (
	"context"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/page"
)

func TestALinkIsFollowed(t *testing.T) {
	tabs := page.New(page.Config{Site: page.Map{
		"http://shop.test/":  `<title>Shop</title><a id=go href=/b?x=1>Go</a>`,
		"http://shop.test/b": `<title>B</title>`,
	}})
	do := func(action, args string) page.Result {
		return tabs.Do(context.Background(), "s", action, jsontext.Value(args))
	}
	r := do("navigate", `{"url":"http://shop.test"}`)
	require.Nil(t, r.Err)
	require.JSONEq(t, `{"tab":1,"url":"http://shop.test/","title":"Shop","status":200}`, string(r.Data))
	require.Nil(t, do("click", `{"selector":"#go"}`).Err)
	require.Contains(t, string(do("tabs", `{}`).Data), `"url":"http://shop.test/b?x=1","title":"B"`)
}
