package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// networkText is the requests of a page a line each, or the body of an answer.
func networkText(b *strings.Builder, d client.NetworkData) {
	if d.Encoding != "" {
		bodyText(b, d)
		return
	}
	for _, e := range d.Entries {
		b.WriteString(oneLine(fmt.Sprintf("%s %s %s %s %s", e.ID, e.Method, statusOf(e), e.Type, e.URL)) + "\n")
	}
	restText(b, d.Next, len(d.Entries), "requests", d.Truncated, d.Gap)
}

func statusOf(e client.NetworkEntry) string {
	switch {
	case e.Blocked:
		return "blocked"
	case e.Error != "":
		return "failed (" + e.Error + ")"
	case e.Status == nil:
		return "pending"
	}
	return fmt.Sprint(*e.Status)
}

func bodyText(b *strings.Builder, d client.NetworkData) {
	if d.Encoding == client.NetworkEncodingBase64 {
		fmt.Fprintf(b, "%s, %d characters of base64; --json prints them\n", d.Mime, len(d.Body))
	} else {
		block(b, d.Body)
	}
	if d.Truncated {
		b.WriteString("cut: there is more\n")
	}
}

func consoleText(b *strings.Builder, d client.ConsoleData) {
	for _, r := range d.Records {
		fmt.Fprintf(b, "%s %s", r.Level, strings.ReplaceAll(r.Text, "\n", "\n  "))
		if r.URL != "" && r.Line != nil {
			fmt.Fprintf(b, " (%s:%d)", oneLine(r.URL), *r.Line)
		}
		b.WriteString("\n")
	}
	restText(b, d.Next, len(d.Records), "records", d.Truncated, d.Gap)
}

// restText is what stands below a list that goes on. Without next nothing was listed:
// it was cleared.
func restText(b *strings.Builder, next *int64, n int, what string, truncated, gap bool) {
	switch {
	case next == nil && n == 0:
		b.WriteString("ok\n")
	case n == 0:
		fmt.Fprintf(b, "no %s\n", what)
	}
	if truncated {
		b.WriteString("older ones were left out\n")
	}
	if gap {
		b.WriteString("the capture was interrupted: some may be missing\n")
	}
	if next != nil && n > 0 {
		fmt.Fprintf(b, "newer ones: --since %d\n", *next)
	}
}

func cookieList(b *strings.Builder, cookies []client.Cookie) {
	for _, c := range cookies {
		b.WriteString(oneLine(c.Name + "=" + c.Value))
		for _, part := range []struct {
			it   bool
			word string
		}{{c.Domain != "", "domain=" + c.Domain}, {c.Path != "", "path=" + c.Path}, {c.Secure, "secure"}, {c.HTTPOnly, "http_only"}, {c.SameSite != "", "same_site=" + string(c.SameSite)}} {
			if part.it {
				b.WriteString("; " + oneLine(part.word))
			}
		}
		if c.Expires != nil {
			fmt.Fprintf(b, "; expires=%.0f", *c.Expires)
		}
		b.WriteString("\n")
	}
	if len(cookies) == 0 {
		b.WriteString("no cookies\n")
	}
}

func downloadList(b *strings.Builder, all []client.Download) {
	for _, d := range all {
		fmt.Fprintf(b, "%d %s", d.ID, d.State)
		if d.Error != "" {
			fmt.Fprintf(b, " (%s)", oneLine(d.Error))
		}
		if d.Received != nil && d.Total != nil && *d.Received != *d.Total {
			fmt.Fprintf(b, " %d of %d bytes", *d.Received, *d.Total)
		}
		for _, s := range []string{d.Filename, d.URL} {
			if s != "" {
				b.WriteString(" " + oneLine(s))
			}
		}
		b.WriteString("\n")
	}
	if len(all) == 0 {
		b.WriteString("no downloads\n")
	}
}

// ruleList is a rule a line, as JSON: what set takes.
func ruleList(b *strings.Builder, rules []json.RawMessage) {
	for _, r := range rules {
		b.WriteString(asJSON(r) + "\n")
	}
	if len(rules) == 0 {
		b.WriteString("no rules\n")
	}
}
