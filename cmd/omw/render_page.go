package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// pageText is where a tab is after a navigation.
func pageText(b *strings.Builder, d client.NavigateData) {
	headText(b, d.URL, d.Title)
	fmt.Fprintf(b, "tab: %d\n", d.Tab)
	if d.Status != nil && (*d.Status < 200 || *d.Status > 299) {
		fmt.Fprintf(b, "status: %d\n", *d.Status)
	}
	if d.NoContent {
		b.WriteString("the answer was empty: the old page stands\n")
	}
	if d.Download != nil {
		b.WriteString("a download came in place of a page:\n")
		downloadList(b, []client.Download{*d.Download})
	}
}

// headText is what stands above the text of a page.
func headText(b *strings.Builder, url, title string) {
	fmt.Fprintf(b, "url: %s\ntitle: %s\n", oneLine(url), oneLine(title))
}

// oneLine is text that must not look like the lines below it.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func snapshotText(b *strings.Builder, d client.SnapshotData) {
	headText(b, d.URL, d.Title)
	block(b, d.Text)
	if d.Truncated {
		fmt.Fprintf(b, "cut after %d nodes; name a part of the page to see the rest: omw snapshot TARGET\n", d.Nodes)
	}
}

// block writes text as it is, with an end of line behind it.
func block(b *strings.Builder, text string) {
	b.WriteString(strings.TrimSuffix(text, "\n") + "\n")
}

// valueText is a value of the page: a string as it is, anything else as JSON.
func valueText(b *strings.Builder, d client.EvaluateData) {
	if len(d.Value) > 0 && d.Value[0] == '"' {
		block(b, plain(d.Value))
		return
	}
	b.WriteString(asJSON(d.Value) + "\n")
}

func extractedText(b *strings.Builder, d client.ExtractData) {
	for i, item := range d.Items {
		if len(d.Items) > 1 {
			if i > 0 {
				b.WriteString("\n")
			}
			if item.Ref != "" {
				fmt.Fprintf(b, "[%s]\n", item.Ref)
			}
		}
		block(b, item.Content)
		if item.Truncated {
			b.WriteString("cut: there is more\n")
		}
	}
	if len(d.Items) == 0 {
		b.WriteString("nothing matches\n")
	}
}

func scrolledText(b *strings.Builder, d client.ScrollData) {
	fmt.Fprintf(b, "scrolled %s px", strconv.FormatFloat(d.Scrolled, 'f', -1, 64))
	if d.AtBoundary {
		b.WriteString("; there is no more")
	}
	b.WriteString("\n")
}

func frameText(b *strings.Builder, d client.FrameData) {
	if d.Frame == nil {
		b.WriteString("frame: main\n")
		return
	}
	fmt.Fprintf(b, "frame: %s\n", oneLine(*d.Frame))
	if d.URL != "" {
		fmt.Fprintf(b, "url: %s\n", oneLine(d.URL))
	}
}

// pictureText is where a screenshot is, or how many characters of base64 it has.
func pictureText(b *strings.Builder, d client.ScreenshotData) {
	if d.Path != "" {
		fmt.Fprintf(b, "%s\n", d.Path)
	} else {
		fmt.Fprintf(b, "base64: %d characters; --json prints them, path=FILE writes a file\n", len(d.Base64))
	}
	fmt.Fprintf(b, "%dx%d pixels", d.Width, d.Height)
	if d.Bytes != nil {
		fmt.Fprintf(b, ", %d bytes", *d.Bytes)
	}
	if d.Truncated {
		b.WriteString(", cut at its bottom")
	}
	b.WriteString("\n")
}

// nameList is a few names on one line.
func nameList(b *strings.Builder, what string, names []string) {
	if len(names) == 0 {
		fmt.Fprintf(b, "%s: none\n", what)
		return
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteWord(oneLine(n))
	}
	fmt.Fprintf(b, "%s: %s\n", what, strings.Join(quoted, " "))
}
