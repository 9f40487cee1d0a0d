package shop

import (
	"fmt"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"price": func(cents int) string { return fmt.Sprintf("€%d.%02d", cents/100, cents%100) },
}).Parse(`
{{define "top"}}<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>{{.}} – Tea shop</title>
<style>body{font:16px sans-serif;margin:2em;background:#fffdf5}table{border-collapse:collapse}td,th{padding:.4em 1em;border:1px solid #ccc}label{display:block;margin:.6em 0}</style></head>
<body>
<header><nav aria-label="Shop"><a href="/">Products</a> <a href="/cart">Cart</a></nav></header>
<main>
<h1>{{.}}</h1>{{end}}

{{define "end"}}</main>
</body>
</html>
{{end}}

{{define "list"}}{{template "top" "Products"}}
<form role="search" action="/" method="get"><label>Search <input type="search" name="q" value="{{.Query}}"></label> <button>Find</button></form>
<table>
<thead><tr><th>Product</th><th>Price</th><th>Buy</th></tr></thead>
<tbody>{{range .Products}}
<tr><td>{{.Name}}</td><td>{{price .Cents}}</td><td><form action="/cart" method="post"><input type="hidden" name="item" value="{{.ID}}"><button>Add {{.Name}}</button></form></td></tr>{{end}}
</tbody>
</table>
<p>{{len .Products}} products</p>
{{template "end"}}{{end}}

{{define "cart"}}{{template "top" "Cart"}}
{{if .Lines}}<ul>{{range .Lines}}
<li>{{.Quantity}} × {{.Name}}, {{price .Cents}}</li>{{end}}
</ul>
<p>Total {{price .Total}}</p>
<a href="/checkout">Check out</a>{{else}}<p>Nothing in it yet.</p>{{end}}
{{template "end"}}{{end}}

{{define "checkout"}}{{template "top" "Checkout"}}
<form action="/order" method="post">
<label>Name <input name="name" autocomplete="name" required></label>
<label>Email <input name="email" type="email" required></label>
<label>Address <textarea name="address" rows="3" required></textarea></label>
<label>Country <select name="country"><option>Austria</option><option>Belgium</option><option selected>Denmark</option></select></label>
<fieldset><legend>Delivery</legend>
<label><input type="radio" name="delivery" value="post" checked> By post</label>
<label><input type="radio" name="delivery" value="bike"> By bicycle</label>
</fieldset>
<label><input type="checkbox" name="gift" value="yes"> Wrap it as a gift</label>
<button>Place order</button>
</form>
{{template "end"}}{{end}}

{{define "confirm"}}{{template "top" "Thank you"}}
<p role="status">Order {{.Number}} is placed.</p>
{{template "end"}}{{end}}
`))

func show(w http.ResponseWriter, name string, data any) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	if err := pages.ExecuteTemplate(w, name, data); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

func (s *Shop) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query().Get("q")
	var found []Product
	for _, p := range Products {
		if strings.Contains(strings.ToLower(p.Name), strings.ToLower(query)) {
			found = append(found, p)
		}
	}
	show(w, "list", map[string]any{"Query": query, "Products": found})
}

func (s *Shop) cart(w http.ResponseWriter, r *http.Request) {
	type line struct {
		Product
		Quantity int
	}
	s.mu.Lock()
	cart := s.customer(w, r)
	var lines []line
	total := 0
	for _, p := range Products {
		if n := cart[p.ID]; n > 0 {
			lines = append(lines, line{p, n})
			total += n * p.Cents
		}
	}
	s.mu.Unlock()
	show(w, "cart", map[string]any{"Lines": lines, "Total": total})
}

func (s *Shop) checkout(w http.ResponseWriter, _ *http.Request) { show(w, "checkout", nil) }

func (s *Shop) confirm(w http.ResponseWriter, r *http.Request) {
	n, err := strconv.Atoi(r.PathValue("n"))
	s.mu.Lock()
	placed := err == nil && n >= 1 && n <= len(s.orders)
	s.mu.Unlock()
	if !placed {
		http.NotFound(w, r)
		return
	}
	show(w, "confirm", map[string]any{"Number": n})
}
