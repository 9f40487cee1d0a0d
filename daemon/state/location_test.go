//go:build unix

package state

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDefaultDir(t *testing.T) {
	wd, err := filepath.Abs(".")
	require.NoError(t, err)
	for name, c := range map[string]struct{ own, xdg, want string }{
		"home":              {"", "", "/home/shop/.config/omw"},
		"xdg":               {"", "/etc/shop", "/etc/shop/omw"},
		"relative xdg":      {"", "shop", "/home/shop/.config/omw"},
		"own":               {"/srv/omw", "", "/srv/omw"},
		"own before xdg":    {"/srv/omw", "/etc/shop", "/srv/omw"},
		"own is cleaned":    {"/srv/x/../omw/", "", "/srv/omw"},
		"own may be nearby": {"mine", "", filepath.Join(wd, "mine")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("HOME", "/home/shop")
			t.Setenv("OMW_CONFIG_DIR", c.own)
			t.Setenv("XDG_CONFIG_HOME", c.xdg)
			got, err := DefaultDir()
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestDefaultDirOfNobody(t *testing.T) {
	t.Setenv("HOME", "")
	t.Setenv("OMW_CONFIG_DIR", "")
	t.Setenv("XDG_CONFIG_HOME", "")
	_, err := DefaultDir()
	require.ErrorContains(t, err, "OMW_CONFIG_DIR")
}
