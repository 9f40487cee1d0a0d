package main

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
)

func openVerb() *verb {
	return &verb{
		name: "open", aliases: []string{"navigate", "goto"}, action: "navigate", short: "Open a page",
		long: `URL may be a host (https:// is put before it, and http:// before localhost and 127.0.0.1) or the
path of a file that is there. --url is taken as it is.`,
		examples: []string{"open example.com", "open localhost:8080/cart", "open ./shop.html --new-tab"},
		words: []word{{name: "URL", fills: []string{"url"}, take: func(r *request, text string) error {
			u, err := pageURL(text)
			if err != nil {
				return err
			}
			return r.set("url", u)
		}}},
	}
}

// hasScheme reports whether word begins as a URL does. One letter is a drive of
// Windows, and a number behind the colon the port of a host. The expressions are
// compiled here, since the other verbs need none.
func hasScheme(word string) bool {
	scheme := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+:`).FindString(word)
	port := regexp.MustCompile(`^[0-9]+([/?#]|$)`)
	return scheme != "" && !port.MatchString(word[len(scheme):])
}

// pageURL returns the URL that a word of the command line means.
func pageURL(word string) (string, error) {
	switch {
	case word == "":
		return "", errors.New("URL is empty")
	case strings.ContainsFunc(word, unicode.IsControl):
		return "", fmt.Errorf("%q is no URL: it holds a control character", word)
	}
	if hasScheme(word) {
		return word, nil
	}
	if strings.HasPrefix(word, "//") {
		return "https:" + word, nil
	}
	if isPath(word) {
		return fileURL(word)
	}
	host, _, _ := strings.Cut(word, "/")
	host, _, _ = strings.Cut(host, "?")
	host, _, _ = strings.Cut(host, "#")
	u, err := url.Parse("http://" + host)
	if err != nil || u.Hostname() == "" || strings.ContainsFunc(host, unicode.IsSpace) {
		return "", fmt.Errorf("%q is neither a URL nor a host nor a file that is there", word)
	}
	if ip := net.ParseIP(u.Hostname()); u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip.IsLoopback() {
		return "http://" + word, nil
	}
	return "https://" + word, nil
}

// isPath reports whether word is written as a path, or is the path of something.
func isPath(word string) bool {
	for _, begin := range []string{"/", "./", "../", `.\`, `..\`} {
		if strings.HasPrefix(word, begin) {
			return true
		}
	}
	if word == "." || word == ".." || filepath.IsAbs(word) {
		return true
	}
	info, err := os.Stat(word)
	return err == nil && info.Mode().IsRegular()
}

func fileURL(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("cannot be made absolute: %w", err)
	}
	if _, err := os.Stat(abs); err != nil {
		return "", fmt.Errorf("there is no file %s", abs)
	}
	slashed := filepath.ToSlash(abs)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a drive of Windows
	}
	return (&url.URL{Scheme: "file", Path: slashed}).String(), nil
}
