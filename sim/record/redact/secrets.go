package redact

import (
	"cmp"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Secrets are the secrets of one recording, and what stands in their place. It
// first learns, then removes; it is for one goroutine.
type Secrets struct {
	// places is what stands for each secret, however short.
	places map[string]string
	// swept are the secrets that are removed everywhere.
	swept map[string]bool
	// pairs are the secrets in every spelling, longest first; nil when a secret
	// was learned since.
	pairs []pair
}

type pair struct{ secret, place string }

// New returns Secrets that knows none.
func New() *Secrets { return &Secrets{places: map[string]string{}, swept: map[string]bool{}} }

// leastSwept is how many characters a text has that is removed everywhere.
const leastSwept = 4

// Learn takes a secret whose other places are looked for if it is long enough.
func (s *Secrets) Learn(secret string) {
	s.learn(secret, utf8.RuneCountInString(strings.TrimSpace(secret)) >= leastSwept)
}

func (s *Secrets) learn(secret string, swept bool) {
	// What stands for a secret already is none: a tape that is recorded again
	// stays as it is.
	if strings.Trim(secret, fills[:1]) == "" || s.swept[secret] {
		return
	}
	if _, known := s.places[secret]; known && !swept {
		return
	}
	s.places[secret] = ""
	if swept {
		s.swept[secret] = true
	}
	s.pairs = nil
}

// settle chooses what stands for each secret: no secret, and nothing that holds
// one.
func (s *Secrets) settle() {
	if s.pairs != nil {
		return
	}
	s.pairs = []pair{}
	for secret := range s.places {
		s.places[secret] = s.place(secret)
		if !s.swept[secret] {
			continue
		}
		for _, spelling := range spellings(secret) {
			s.pairs = append(s.pairs, pair{spelling, s.places[secret]})
		}
	}
	slices.SortFunc(s.pairs, func(a, b pair) int {
		return cmp.Or(len(b.secret)-len(a.secret), strings.Compare(a.secret, b.secret), strings.Compare(a.place, b.place))
	})
}

// fills are the letters that stand for a secret, the usual one first.
const fills = "xyzwvuqkjXYZWVUQKJ"

// place is a text of as many bytes that holds no secret.
func (s *Secrets) place(secret string) string {
	for _, letter := range fills {
		place := strings.Repeat(string(letter), len(secret))
		if !s.holds(place) && place != secret {
			return place
		}
	}
	return ""
}

func (s *Secrets) holds(text string) bool {
	for secret := range s.swept {
		if strings.Contains(text, secret) {
			return true
		}
	}
	return false
}

// spellings are the ways in which a page, a URL or code writes a text.
func spellings(text string) []string {
	all := []string{
		text, strings.Join(strings.Fields(text), " "), html.EscapeString(text),
		url.QueryEscape(text), url.PathEscape(text),
	}
	for _, strict := range []bool{true, false} {
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(strict)
		if enc.Encode(text) == nil {
			all = append(all, strings.TrimSuffix(b.String(), "\n")[1:b.Len()-2])
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Place returns what stands for a secret that was learned.
func (s *Secrets) Place(secret string) string {
	s.settle()
	return s.places[secret]
}

// Text returns text without the secrets that are removed everywhere, and without
// what a URL in it shows to be one.
func (s *Secrets) Text(text string) string {
	s.settle()
	text = withoutCredentials(text)
	for _, p := range s.pairs {
		text = strings.ReplaceAll(text, p.secret, fit(p.place, len(p.secret)))
	}
	// What stands for one secret may complete another one.
	for range s.pairs {
		if !s.holds(text) {
			break
		}
		for secret := range s.swept {
			text = strings.ReplaceAll(text, secret, s.places[secret])
		}
	}
	return text
}

// fit makes a place as long as another spelling of its secret.
func fit(place string, n int) string {
	if place == "" {
		return ""
	}
	return strings.Repeat(place[:1], n)
}
