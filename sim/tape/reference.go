package tape

import (
	"fmt"
	"strings"
)

// Reference returns the part of TAPES.md that lists the verbs, as Markdown.
func Reference() string {
	var b strings.Builder
	for _, r := range []struct {
		of    Role
		title string
	}{
		{Browser, "Browsers: chrome, chrome2, firefox…"},
		{Agent, "Agents: agent, agent2…"},
		{Daemon, "The daemon"},
	} {
		fmt.Fprintf(&b, "### %s\n\n", r.title)
		for _, v := range Verbs(r.of) {
			v.describe(&b)
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// describe writes a verb's paragraph.
func (v *Verb) describe(b *strings.Builder) {
	fmt.Fprintf(b, "#### `%s`\n\n%s\n\n", v.Usage(), capital(v.Doc))
	listed := false
	for _, p := range append(v.Words[:len(v.Words):len(v.Words)], v.Args...) {
		if p.Doc != "" {
			fmt.Fprintf(b, "- `%s`: %s.\n", p.Name, p.Doc)
			listed = true
		}
	}
	if listed {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "```\n%s\n```\n\n", v.Example)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
