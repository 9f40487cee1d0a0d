// Package shop is a small web shop on which an agent is tried out from start to
// order: a list with a search, a cart, a form. It counts what reaches it, so that a
// test can ask the shop what was done rather than the browser.
package shop

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// Product is something that the shop sells.
type Product struct {
	ID, Name string
	Cents    int
}

// Products are what the shop sells.
var Products = []Product{
	{"kettle", "Copper kettle", 4900},
	{"pot", "Tea pot for two", 3250},
	{"cup", "Blue cup", 850},
	{"sencha", "Sencha, 100 g", 1190},
	{"assam", "Assam, 100 g", 990},
}

// Order is what a customer sent.
type Order struct {
	// Items are the quantities by the products' ids.
	Items                         map[string]int
	Name, Email, Address, Country string
	Delivery                      string
	Gift                          bool
}

// Shop is one shop with its customers' carts. Its methods may be called by
// several goroutines.
type Shop struct {
	mux http.ServeMux

	mu     sync.Mutex
	next   int
	carts  map[string]map[string]int
	orders []Order
	hits   map[string]int
}

// New returns an open shop.
func New() *Shop {
	s := &Shop{carts: map[string]map[string]int{}, hits: map[string]int{}}
	s.mux.HandleFunc("GET /{$}", s.list)
	s.mux.HandleFunc("POST /cart", s.add)
	s.mux.HandleFunc("GET /cart", s.cart)
	s.mux.HandleFunc("GET /checkout", s.checkout)
	s.mux.HandleFunc("POST /order", s.order)
	s.mux.HandleFunc("GET /orders/{n}", s.confirm)
	return s
}

// ServeHTTP answers a request of a customer's browser.
func (s *Shop) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.hits[r.Method+" "+r.URL.Path]++
	s.mu.Unlock()
	s.mux.ServeHTTP(w, r)
}

// Orders returns the orders that were placed, oldest first.
func (s *Shop) Orders() []Order {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.orders)
}

// Hits returns how often each method and path was asked for, as "POST /order".
func (s *Shop) Hits() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.hits)
}

// customer returns the cart of who asks, and gives a new one a cookie.
func (s *Shop) customer(w http.ResponseWriter, r *http.Request) map[string]int {
	if c, err := r.Cookie("customer"); err == nil && s.carts[c.Value] != nil {
		return s.carts[c.Value]
	}
	s.next++
	id := strconv.Itoa(s.next)
	http.SetCookie(w, &http.Cookie{Name: "customer", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
	s.carts[id] = map[string]int{}
	return s.carts[id]
}

func (s *Shop) add(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cart := s.customer(w, r)
	id := r.PostFormValue("item")
	if !slices.ContainsFunc(Products, func(p Product) bool { return p.ID == id }) {
		http.Error(w, "the shop does not sell that", http.StatusBadRequest)
		return
	}
	cart[id]++
	http.Redirect(w, r, "/cart", http.StatusSeeOther)
}

func (s *Shop) order(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cart := s.customer(w, r)
	if len(cart) == 0 {
		http.Error(w, "the cart is empty", http.StatusConflict)
		return
	}
	s.orders = append(s.orders, Order{
		Items: maps.Clone(cart), Name: r.PostFormValue("name"), Email: r.PostFormValue("email"), Address: r.PostFormValue("address"),
		Country: r.PostFormValue("country"), Delivery: r.PostFormValue("delivery"), Gift: r.PostFormValue("gift") == "yes",
	})
	clear(cart)
	http.Redirect(w, r, "/orders/"+strconv.Itoa(len(s.orders)), http.StatusSeeOther)
}
