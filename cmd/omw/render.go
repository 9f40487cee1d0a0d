package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// render writes the data of an answer for a model, or a person, to read: no more
// than there is to say, and no decoration. What it says to do next names the
// session by the flag session, which may be empty.
func render(w io.Writer, action string, data json.RawMessage, session string) error {
	var b strings.Builder
	if err := writeText(&b, action, data); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	var with struct {
		Dialog *client.Dialog `json:"dialog"`
	}
	// A dialog of another shape is left to the renderer of members.
	if json.Unmarshal(data, &with) == nil {
		b.WriteString(dialogText(with.Dialog, session))
	}
	if _, err := io.WriteString(w, clean(b.String())); err != nil {
		return fmt.Errorf("write output: %w", err)
	}
	return nil
}

func writeText(b *strings.Builder, action string, data json.RawMessage) error {
	if f, ok := texts[action]; ok {
		return f(b, data)
	}
	err := membersText(b, data, "dialog")
	if err == nil && b.Len() == 0 {
		b.WriteString("ok\n")
	}
	return err
}

// dialogText names a dialog that a command raised and left open, or that was
// dismissed.
func dialogText(d *client.Dialog, session string) string {
	switch {
	case d == nil:
		return ""
	case d.Dismissed:
		return fmt.Sprintf("dialog: %s %q was dismissed before\n", d.Type, d.Message)
	}
	return fmt.Sprintf("dialog: %s %q is open; run omw dialog accept%s, or omw dialog dismiss%[3]s\n", d.Type, d.Message, session)
}

// texts are the actions whose data have a text of their own; those of the rest
// are shown a member a line.
var texts = map[string]func(*strings.Builder, json.RawMessage) error{
	"navigate":   textOf(pageText),
	"back":       textOf(pageText),
	"forward":    textOf(pageText),
	"reload":     textOf(pageText),
	"snapshot":   textOf(snapshotText),
	"evaluate":   textOf(valueText),
	"extract":    textOf(extractedText),
	"select":     textOf(func(b *strings.Builder, d client.SelectData) { nameList(b, "selected", d.Selected) }),
	"upload":     textOf(func(b *strings.Builder, d client.UploadData) { nameList(b, "files", d.Names) }),
	"scroll":     textOf(scrolledText),
	"wait":       textOf(func(b *strings.Builder, _ client.WaitData) { b.WriteString("ok\n") }),
	"dialog":     textOf(func(b *strings.Builder, d client.DialogData) { fmt.Fprintf(b, "%s: %q\n", d.Type, d.Message) }),
	"frame":      textOf(frameText),
	"screenshot": textOf(pictureText),
	"pdf": textOf(func(b *strings.Builder, d client.PDFData) {
		fmt.Fprintf(b, "%s\n%d pages, %d bytes\n", d.Path, d.Pages, d.Bytes)
	}),
	"tabs":          textOf(func(b *strings.Builder, d client.TabsData) { tabList(b, d.Tabs) }),
	"borrow":        textOf(func(b *strings.Builder, d client.BorrowData) { tabList(b, d.Tabs) }),
	"release":       textOf(func(b *strings.Builder, d client.ReleaseData) { tabList(b, d.Tabs) }),
	"switch_tab":    textOf(func(b *strings.Builder, d client.SwitchTabData) { tabList(b, d.Tabs) }),
	"close_tab":     textOf(func(b *strings.Builder, d client.CloseTabData) { tabList(b, d.Tabs) }),
	"close_session": textOf(closedText),
	"sessions":      textOf(sessionList),
	"network":       textOf(networkText),
	"console":       textOf(consoleText),
	"cookies":       textOf(func(b *strings.Builder, d client.CookiesData) { cookieList(b, d.Cookies) }),
	"downloads":     textOf(func(b *strings.Builder, d client.DownloadsData) { downloadList(b, d.Downloads) }),
	"presets":       textOf(func(b *strings.Builder, d client.PresetsData) { ruleList(b, d.Rules) }),
	"cdp":           textOf(func(b *strings.Builder, d client.CDPData) { b.WriteString(asJSON(d.Result) + "\n") }),
	"headers":       textOf(func(b *strings.Builder, d client.HeadersData) { ruleList(b, d.Rules) }),
}

// textOf reads the data of an answer as the SDK does.
func textOf[D any](f func(*strings.Builder, D)) func(*strings.Builder, json.RawMessage) error {
	return func(b *strings.Builder, data json.RawMessage) error {
		var d D
		if err := json.Unmarshal(data, &d); err != nil {
			return err
		}
		f(b, d)
		return nil
	}
}
