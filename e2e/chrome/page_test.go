package chrome_test

import (
	"fmt"
	"regexp"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
)

// page is a snapshot, on which a test acts by role and name as an agent does.
type page struct {
	s session
	client.SnapshotData
}

// ref returns the reference of the one element of that role and name.
func (p page) ref(role, name string) string {
	p.s.t.Helper()
	line := regexp.MustCompile(fmt.Sprintf(`(?m)^ *- %s %s \[(?:[^\]]* )?ref=(e[0-9]+)\]`, regexp.QuoteMeta(role), regexp.QuoteMeta(fmt.Sprintf("%q", name))))
	found := line.FindAllStringSubmatch(p.Text, -1)
	require.Len(p.s.t, found, 1, "%s %q in:\n%s", role, name, p.Text)
	return "@" + found[0][1]
}

func (p page) click(role, name string) {
	p.s.t.Helper()
	_, err := p.s.Click(p.s.ctx(), client.ClickArgs{Ref: p.ref(role, name)})
	require.NoError(p.s.t, err)
}

func (p page) fill(role, name, text string) {
	p.s.t.Helper()
	_, err := p.s.Type(p.s.ctx(), client.TypeArgs{Ref: p.ref(role, name), Text: text})
	require.NoError(p.s.t, err)
}
