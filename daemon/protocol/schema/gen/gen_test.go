package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const protocolDir = "../.."

// TestThePageIsFresh fails when PROTOCOL.md says other than the code.
func TestThePageIsFresh(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(protocolDir, "..", "PROTOCOL.md"))
	require.NoError(t, err)
	renewed, err := renew(page, protocolDir)
	require.NoError(t, err)
	require.True(t, string(renewed) == string(page), "daemon/PROTOCOL.md is stale: run go generate ./daemon/protocol")

	stale := regexp.MustCompile(`outcome_unknown \|`).ReplaceAll(page, []byte("outcome_uncertain |"))
	require.NotEqual(t, page, stale)
	renewed, err = renew(stale, protocolDir)
	require.NoError(t, err)
	require.Equal(t, string(page), string(renewed))
}

// TestLinksLeadSomewhere: every anchor that the page links to is there.
func TestLinksLeadSomewhere(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(protocolDir, "..", "PROTOCOL.md"))
	require.NoError(t, err)
	anchors := map[string]bool{}
	for _, m := range regexp.MustCompile(`<a id="([^"]+)">`).FindAllSubmatch(page, -1) {
		require.False(t, anchors[string(m[1])], "%s stands there twice", m[1])
		anchors[string(m[1])] = true
	}
	links := regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllSubmatch(page, -1)
	require.NotEmpty(t, links)
	for _, m := range links {
		require.True(t, anchors[string(m[1])], "#%s", m[1])
	}
}

func TestFill(t *testing.T) {
	makers := map[string]func() (string, error){"a": func() (string, error) { return "new\n", nil }}
	got, err := fill([]byte("x\n<!-- made: a -->\nold\n<!-- end -->\ny\n"), makers)
	require.NoError(t, err)
	require.Equal(t, "x\n<!-- made: a -->\nnew\n<!-- end -->\ny\n", string(got))
	for page, want := range map[string]string{
		"":                                   "does not stand in the page",
		"<!-- made: b -->\n<!-- end -->":     "nothing makes the part",
		"<!-- made: a -->\n":                 "has no end",
		"<!-- made: a --> x\n<!-- end -->\n": "has no end",
		"<!-- made: a -->\n<!-- end -->\n<!-- made: a -->\n<!-- end -->": "twice",
	} {
		_, err := fill([]byte(page), makers)
		require.ErrorContains(t, err, want, page)
	}
	makers["a"] = func() (string, error) { return "", os.ErrInvalid }
	_, err = fill([]byte("<!-- made: a -->\n<!-- end -->"), makers)
	require.ErrorIs(t, err, os.ErrInvalid)
}

func TestQuantities(t *testing.T) {
	for want, v := range map[string]any{
		"5 minutes": 5 * time.Minute, "120 s": 120 * time.Second, "250 ms": 250 * time.Millisecond, "30 s": 30 * time.Second,
		"32 MiB": int64(32 << 20), "1 KiB": int64(1 << 10), "288": 288,
	} {
		require.Equal(t, want, quantity(v))
	}
}

func TestALimitWithoutAWordIsAnError(t *testing.T) {
	_, err := limitWords{}.table(protocol.DefaultLimits())
	require.ErrorContains(t, err, "the field Body has no comment")
}
