package page

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// Open makes a Site of what a command line names, the first that serves a URL
// answering:
//
//   - a FILE is the page "/" of every host, with what is beside it in its directory;
//   - a DIRECTORY is every host's, as Files;
//   - URL=FILE is that page alone, URL=DIRECTORY all below that URL.
//
// Files are read at each request, so that a page that was edited is seen at the next
// one. A file that is not there now is an error that names it.
func Open(specs ...string) (Site, error) {
	var all []Site
	for _, spec := range specs {
		s, err := openOne(spec)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return Sites(all...), nil
}

func openOne(spec string) (Site, error) {
	if s := scheme(spec); s == "http" || s == "https" {
		return openURL(spec)
	}
	info, err := os.Stat(spec)
	if err != nil {
		return nil, missing(spec, err)
	}
	if info.IsDir() {
		return Files(spec), nil
	}
	dir, file := filepath.Split(spec)
	if dir == "" {
		dir = "."
	}
	return below("", dir, file), nil
}

// openURL reads URL=FILE. Both may hold the sign: the last one whose right side is
// there parts them.
func openURL(spec string) (Site, error) {
	if !strings.Contains(spec, "=") {
		return nil, fmt.Errorf("%s: a URL needs the file that is its page: URL=FILE", spec)
	}
	for at := strings.LastIndexByte(spec, '='); at > 0; at = strings.LastIndexByte(spec[:at], '=') {
		info, err := os.Stat(spec[at+1:])
		if err != nil {
			continue
		}
		at, file := spec[:at], spec[at+len("="):]
		u, err := url.Parse(at)
		if err != nil || u.Host == "" {
			return nil, fmt.Errorf("%s: %q is no URL with a host", spec, at)
		}
		if info.IsDir() {
			return below(strings.TrimSuffix(normal(u), "/"), file, "index.html"), nil
		}
		return onePage(withoutFragment(normal(u)), file), nil
	}
	_, file, _ := strings.Cut(spec, "=")
	_, err := os.Stat(file)
	return nil, missing(file, err)
}

func missing(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: there is no such file or directory", name)
	}
	return fmt.Errorf("%s: %w", name, errors.Unwrap(err))
}

// onePage serves a file at a URL, whatever the query where it names none.
func onePage(at, file string) Site {
	return SiteFunc(func(_ context.Context, r Request) (Response, error) {
		bare, _, _ := strings.Cut(r.URL, "?")
		switch {
		case r.URL == at, bare == at:
			return fileBelow(filepath.Dir(file), filepath.Base(file))
		case sameOrigin(at, r.URL):
			return notFound(), nil
		}
		return Response{}, ErrNotServed
	})
}

// below serves a directory at the URLs that begin with base, all if it is empty;
// index is its page "/".
func below(base, dir, index string) Site {
	files := Files(dir)
	return SiteFunc(func(ctx context.Context, r Request) (Response, error) {
		u := parsed(r.URL)
		if u.Scheme != "http" && u.Scheme != "https" {
			return Response{}, ErrNotServed
		}
		at := parsed(base)
		path := u.Path
		if base != "" {
			rest, ok := strings.CutPrefix(path, at.Path)
			if u.Scheme != at.Scheme || u.Host != at.Host || !ok || (rest != "" && rest[0] != '/') {
				return Response{}, ErrNotServed
			}
			path = rest
		}
		if path == "" || path == "/" {
			return fileBelow(dir, index)
		}
		u.Path, u.RawPath = path, ""
		r.URL = u.String()
		return files.Fetch(ctx, r)
	})
}
