package page

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
)

// Files is a Site of the files below root: any http or https URL is the file of
// its path, "/" and a directory their index.html, and a path without an extension
// also that with .html. The media type comes from the extension. A path that has
// no file is answered 404; nothing outside root is read, symbolic links that lead
// there neither.
func Files(root string) Site {
	return SiteFunc(func(_ context.Context, r Request) (Response, error) {
		u, err := url.Parse(r.URL)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
			return Response{}, ErrNotServed
		}
		return fileBelow(root, strings.TrimPrefix(path.Clean("/"+u.Path), "/"))
	})
}

// fileBelow reads the file of name below root.
func fileBelow(root, name string) (Response, error) {
	dir, err := os.OpenRoot(root)
	if err != nil {
		return Response{}, fmt.Errorf("open the directory of the pages: %w", err)
	}
	defer func() { _ = dir.Close() }()
	if name == "" {
		name = "index.html"
	}
	for _, try := range []string{name, name + ".html", path.Join(name, "index.html")} {
		body, err := fs.ReadFile(dir.FS(), try)
		if err != nil {
			continue
		}
		kind := mime.TypeByExtension(path.Ext(try))
		if kind == "" {
			kind = http.DetectContentType(body)
		}
		return Response{Status: http.StatusOK, Header: http.Header{"Content-Type": {kind}}, Body: body}, nil
	}
	if _, err := fs.Stat(dir.FS(), name); err != nil && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
		return Response{}, fmt.Errorf("read %s: %w", name, err)
	}
	return notFound(), nil
}
