package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A name that another process took makes room for the next one, and not for ever;
// a name that was given is never another one.
func TestFreeNames(t *testing.T) {
	t.Chdir(t.TempDir())
	p := &program{}
	v, cmd, r := equipped(t, p, "screenshot")
	require.NoError(t, cmd.ParseFlags(nil))
	require.NoError(t, v.fill(p, r, nil))
	require.Equal(t, "shot-1.png", r.text("path"))
	for range maxTries {
		writeFile(t, r.text("path"), "")
		another, err := v.again(r)
		require.NoError(t, err)
		require.True(t, another)
	}
	require.Equal(t, "shot-21.png", r.text("path"))
	another, err := v.again(r)
	require.NoError(t, err)
	require.False(t, another)

	for _, named := range []string{"screenshot", "pdf"} {
		v, cmd, r = equipped(t, p, named)
		require.NoError(t, cmd.ParseFlags([]string{"a"}))
		require.NoError(t, v.fill(p, r, cmd.Flags().Args()))
		another, err = v.again(r)
		require.NoError(t, err)
		require.False(t, another)
		require.Equal(t, "a", r.text("path"))
	}
}
