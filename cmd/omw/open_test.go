package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatOpenOpens(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := filepath.EvalSymlinks(dir)
	require.NoError(t, err)
	writeFile(t, "shop.html", "")
	writeFile(t, "a?b #1.html", "")
	require.NoError(t, os.Mkdir("example.org", 0o700))
	for word, want := range map[string]string{
		"example.com":               "https://example.com",
		"example.com/a?b=c#d":       "https://example.com/a?b=c#d",
		"example.com:8443":          "https://example.com:8443",
		"example.com:8443/a:b":      "https://example.com:8443/a:b",
		"user@example.com":          "https://user@example.com",
		"bücher.example":            "https://bücher.example",
		"intranet":                  "https://intranet",
		"192.168.0.1/admin":         "https://192.168.0.1/admin",
		"example.com?q=http://b":    "https://example.com?q=http://b",
		"//example.com/a":           "https://example.com/a",
		"localhost":                 "http://localhost",
		"localhost:8080/cart":       "http://localhost:8080/cart",
		"app.localhost:3000":        "http://app.localhost:3000",
		"127.0.0.1:1":               "http://127.0.0.1:1",
		"127.8.8.8":                 "http://127.8.8.8",
		"[::1]:80/":                 "http://[::1]:80/",
		"localhost.example":         "https://localhost.example",
		"http://example.com":        "http://example.com",
		"HTTPS://example.com":       "HTTPS://example.com",
		"about:blank":               "about:blank",
		"data:text/html,<p>hi":      "data:text/html,<p>hi",
		"chrome://version":          "chrome://version",
		"view-source:https://a.b/":  "view-source:https://a.b/",
		"file:///a.html":            "file:///a.html",
		"shop.html":                 "file://" + here + "/shop.html",
		"./shop.html":               "file://" + here + "/shop.html",
		here + "/shop.html":         "file://" + here + "/shop.html",
		"../" + filepath.Base(here): "file://" + here,
		"a?b #1.html":               "file://" + here + "/a%3Fb%20%231.html",
		// A directory of that name is no page; it is opened where it is written as a path.
		"example.org":    "https://example.org",
		"./example.org":  "file://" + here + "/example.org",
		"missing.html":   "https://missing.html",
		"shop.html/more": "https://shop.html/more",
	} {
		got, err := pageURL(word)
		require.NoError(t, err, word)
		require.Equal(t, want, got, word)
	}
	for word, why := range map[string]string{
		"":                   "URL is empty",
		"two words":          `"two words" is neither a URL nor a host nor a file that is there`,
		":8080":              "is neither",
		"?q":                 "is neither",
		"exa%mple":           "is neither",
		"./missing.html":     "there is no file " + here + "/missing.html",
		"/missing/a.html":    "there is no file /missing/a.html",
		"a\x00b":             "it holds a control character",
		"java\nscript:x":     "it holds a control character",
		"./shop.html#anchor": "there is no file",
	} {
		_, err := pageURL(word)
		require.ErrorContains(t, err, why, word)
	}
}
