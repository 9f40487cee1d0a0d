package page

import (
	"bytes"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// marker is the attribute by which a control remembers its form while it is parsed.
const marker = "data-omw-form-pointer"

// parseDocument makes the tree of a document, and tells which form the parser gave to a
// control (HTML, 13.2.6.1, "create an element for the token": the form element
// pointer). A form between a table and its rows, or one that another element's end
// closed, owns what follows until its own end tag, although it does not hold it.
func parseDocument(text []byte) (root *html.Node, owners map[*html.Node]*html.Node) {
	// Parse never fails on a reader of memory.
	root, _ = html.Parse(bytes.NewReader(marked(text)))
	owners = map[*html.Node]*html.Node{}
	forms := map[string]*html.Node{}
	numbers := map[*html.Node]string{}
	for n := range root.Descendants() {
		number, ok := unmark(n)
		switch {
		case !ok:
		case is(n, atom.Form):
			forms[number] = n
		default:
			numbers[n] = number
		}
	}
	for n, number := range numbers {
		if f := forms[number]; f != nil {
			owners[n] = f
		}
	}
	return root, owners
}

// marked writes a document again with a number on each form, and the number of the
// form that the parser's pointer is at on each listed element. The x/net/html parser
// keeps such a pointer and does not show it.
func marked(text []byte) []byte {
	if !bytes.Contains(bytes.ToLower(text), []byte("<form")) || bytes.Contains(text, []byte(marker)) {
		return text
	}
	var out bytes.Buffer
	forms, pointer, templates := 0, 0, 0
	tokens := html.NewTokenizer(bytes.NewReader(text))
	for {
		kind := tokens.Next()
		raw := bytes.Clone(tokens.Raw())
		if kind == html.ErrorToken {
			out.Write(raw)
			return out.Bytes()
		}
		name, _ := tokens.TagName()
		tag := &html.Node{Type: html.ElementNode, DataAtom: atom.Lookup(name)}
		start := kind == html.StartTagToken || kind == html.SelfClosingTagToken
		switch {
		case !start && kind != html.EndTagToken:
		case is(tag, atom.Template) && start:
			templates++
		case is(tag, atom.Template):
			templates = max(0, templates-1)
		case templates > 0:
		case is(tag, atom.Form) && start && pointer == 0:
			forms++
			pointer = forms
			raw = mark(raw, pointer)
		case is(tag, atom.Form) && !start:
			pointer = 0
		case start && pointer > 0 && listed(tag):
			raw = mark(raw, pointer)
		}
		out.Write(raw)
	}
}

// mark puts the marker behind the name of a start tag.
func mark(raw []byte, number int) []byte {
	end := bytes.IndexAny(raw, " \t\n\f\r/>")
	return append(append(bytes.Clone(raw[:end]), ` `+marker+`="`+strconv.Itoa(number)+`"`...), raw[end:]...)
}

func unmark(n *html.Node) (number string, ok bool) {
	for i, a := range n.Attr {
		if a.Key == marker {
			n.Attr = append(n.Attr[:i:i], n.Attr[i+1:]...)
			return a.Val, true
		}
	}
	return "", false
}
