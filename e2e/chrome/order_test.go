package chrome_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/e2e/shop"
)

// An agent buys tea: it reads each page and acts on what it read, and the shop
// says what came of it.
func placesAnOrder(t *testing.T, r *rig) {
	tea := shop.New()
	s := r.session(t, "tea")

	home := s.open(serve(t, tea))
	require.Equal(t, "Products – Tea shop", home.Title)
	require.EqualValues(t, 200, *home.Status)

	list := s.read()
	_, err := s.Type(s.ctx(), client.TypeArgs{Ref: list.ref("searchbox", "Search"), Text: "tea pot", Submit: true})
	require.NoError(t, err)
	found := s.read()
	require.Contains(t, found.URL, "?q=tea+pot")
	require.NotContains(t, found.Text, "Assam")
	found.click("button", "Add Tea pot for two")

	s.read().click("link", "Products")
	s.read().click("button", "Add Assam, 100 g")
	s.read().click("link", "Products")
	s.read().click("button", "Add Assam, 100 g")

	cart := s.read()
	require.Contains(t, cart.Text, "Total €52.30")
	cart.click("link", "Check out")

	form := s.read()
	form.fill("textbox", "Name", "Karen Blixen")
	form.fill("textbox", "Email", "karen@example.com")
	form.fill("textbox", "Address", "Rungsted Strandvej 111\n2960 Rungsted Kyst")
	form.click("radio", "By bicycle")
	form.click("checkbox", "Wrap it as a gift")
	filled := s.read()
	require.Equal(t, form.ref("radio", "By bicycle"), filled.ref("radio", "By bicycle"), "a node keeps its reference")
	filled.click("button", "Place order")

	require.Contains(t, s.read().Text, "Order 1 is placed.")
	require.Equal(t, []shop.Order{{
		Items: map[string]int{"pot": 1, "assam": 2},
		Name:  "Karen Blixen", Email: "karen@example.com", Address: "Rungsted Strandvej 111\r\n2960 Rungsted Kyst",
		Country: "Denmark", Delivery: "bike", Gift: true,
	}}, tea.Orders())
	require.Equal(t, 1, tea.Hits()["POST /order"])
	require.Equal(t, 3, tea.Hits()["POST /cart"])
}
