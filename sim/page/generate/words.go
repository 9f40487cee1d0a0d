package generate

import (
	"strconv"
	"strings"
)

var vocabulary = strings.Fields(`order basket price total address street city country invoice
	account profile search filter result detail help contact about team release news
	apple pear plum cherry walnut ginger saffron lemon olive pepper cedar maple`)

// odd are words as real pages have them: other scripts, directions and widths,
// combining marks, characters that HTML would escape, a no-break space.
var odd = []string{
	"Straße", "naïve", "日本語", "Ελλάδα", "Привет", "שלום", "مرحبا", "emoji😀", "é́tude", "A&B", "1<2", `say"hi"`, "it's", "a=b;c", "50%", "x+y",
	"Zürich", "co\u00a0op", "ﬁne", "…", "#1", "@e5", "[x]", "ref=e9", "- dash:", `back\slash`,
}

// word is one word, now and then an odd one.
func (b *builder) word() string {
	if b.one(9) {
		return odd[b.r.IntN(len(odd))]
	}
	return vocabulary[b.r.IntN(len(vocabulary))]
}

// phrase is a few words with single blanks between.
func (b *builder) phrase(atMost int) string {
	words := make([]string, 1+b.r.IntN(atMost))
	for i := range words {
		words[i] = b.word()
	}
	return strings.Join(words, " ")
}

// caption is a phrase that stands once on the page.
func (b *builder) caption() string {
	b.captions++
	return b.phrase(2) + " " + strconv.Itoa(b.captions)
}

// one is true once in n.
func (b *builder) one(n int) bool { return b.r.IntN(n) == 0 }

func pick[T any](b *builder, of ...T) T { return of[b.r.IntN(len(of))] }
