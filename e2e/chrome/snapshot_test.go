package chrome_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

func readsFramesAndShadowTrees(t *testing.T, r *rig) {
	s := r.session(t, "frames")
	other := serve(t, html(`<button>Elsewhere</button>`))
	s.open(serve(t, html(`<title>Frames</title>
<iframe title="Inner" style="margin:40px" srcdoc="<button onclick='parent.inner++'>Inside</button>"></iframe>
<iframe title="Other" src="`+other+`"></iframe>
<div id=host></div><x-plain><b slot=s>slotted</b></x-plain>
<script>var inner = 0, shadow = 0
host.attachShadow({mode: 'open'}).innerHTML = '<button onclick="shadow++">Shadow</button><p>Of <slot></slot></p>'
</script>`)))
	p := s.read()
	require.Contains(t, p.Text, `- iframe "Other" [ref=`)
	require.Contains(t, p.Text, "of another origin")
	p.click("button", "Inside")
	p.click("button", "Shadow")
	require.Equal(t, `[1,1]`, s.eval("[inner, shadow]"))

	part, err := s.Snapshot(s.ctx(), client.SnapshotArgs{Selector: "#host"})
	require.NoError(t, err)
	require.Contains(t, part.Text, `- button "Shadow"`)
	require.NotContains(t, part.Text, "iframe")
	flat, err := s.Snapshot(s.ctx(), client.SnapshotArgs{Interactive: true})
	require.NoError(t, err)
	require.NotContains(t, flat.Text, "paragraph")
}

func keepsPasswords(t *testing.T, r *rig) {
	s := r.session(t, "secret")
	s.open(serve(t, html(`<label>Password <input type=password value="hunter2"></label> <label>User <input value="karen"></label><p hidden>hidden</p>`)))
	p := s.read()
	require.NotContains(t, p.Text, "hunter2")
	require.NotContains(t, p.Text, "hidden")
	require.Contains(t, p.Text, ": karen")
	p.fill("textbox", "Password", "correct horse")
	require.Equal(t, `"correct horse"`, s.eval("document.querySelector('[type=password]').value"))
	require.NotContains(t, s.read().Text, "correct horse")
	require.NotContains(t, r.log.String(), "correct horse")
}

func saysWhatItCannotDo(t *testing.T, r *rig) {
	s := r.session(t, "cannot")
	s.open(serve(t, html("")))
	_, err := s.Cookies(s.ctx(), client.CookiesGet{})
	refused(t, protocol.Unsupported, err)
	_, err = s.Evaluate(s.ctx(), client.EvaluateArgs{Code: "1", Frame: "inner"})
	refused(t, protocol.Unsupported, err)
	_, err = s.Snapshot(s.ctx(), client.SnapshotArgs{Frame: "inner"})
	refused(t, protocol.Unsupported, err)
	status, err := s.Status(s.ctx())
	require.NoError(t, err)
	require.EqualValues(t, "chrome", status.Browser)
	require.Regexp(t, `^[0-9]+\.[0-9]+\.[1-9][0-9]*\.[0-9]+$`, status.BrowserVersion)
}
