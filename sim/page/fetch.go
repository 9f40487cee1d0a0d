package page

import (
	"errors"
	"net/http"
	"strconv"
)

// maxRedirects is how many redirects a fetch follows, as the Fetch standard.
const maxRedirects = 20

var errRedirects = errors.New("net::ERR_TOO_MANY_REDIRECTS")

// fetch asks the Site on behalf of b, follows redirects, and records each request.
func (c *call) fetch(b *tab, kind string, req Request) (Response, error) {
	for range maxRedirects + 1 {
		got, err := c.request(b, kind, &req)
		if err != nil {
			return got, err
		}
		to := got.Header.Get("Location")
		if to == "" || !redirects(got.Status) {
			if got.URL == "" {
				got.URL = req.URL
			}
			return got, nil
		}
		req = redirected(req, got.Status, to)
	}
	return Response{}, errRedirects
}

func redirects(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

// redirected is the request that follows a redirect: 303 becomes GET, 301 and 302
// do for POST (Fetch standard, HTTP-redirect fetch).
func redirected(req Request, status int, to string) Request {
	next := req
	next.URL = withoutFragment(resolve(parsed(req.URL), to))
	if (status <= http.StatusFound && req.Method == http.MethodPost) ||
		(status == http.StatusSeeOther && req.Method != http.MethodGet && req.Method != http.MethodHead) {
		next.Method, next.Body = http.MethodGet, nil
		next.Header = req.Header.Clone()
		next.Header.Del("Content-Type")
	}
	return next
}

// request makes one request: the tab's rules, the cookies, the Site, what it set.
func (c *call) request(b *tab, kind string, req *Request) (Response, error) {
	entry := c.begin(b, kind, req)
	if err := c.preset(b, entry, kind, req); err != nil {
		return Response{}, err
	}
	out := *req
	out.Header = c.headers(b, req)
	var got Response
	var err error
	if made, ok := local(req.URL); ok {
		got = made
	} else if c.t.cfg.Site == nil {
		err = ErrNotServed
	} else {
		c.outside(func() { got, err = c.t.cfg.Site.Fetch(c.ctx, out) })
	}
	if err == nil && got.Status == 0 {
		got.Status = http.StatusOK
	}
	if got.Header == nil {
		got.Header = http.Header{}
	}
	if got.Header.Get("Content-Type") == "" && len(got.Body) > 0 {
		got.Header = got.Header.Clone()
		got.Header.Set("Content-Type", http.DetectContentType(got.Body))
	}
	c.answered(b, req, &got)
	entry.finish(&got, err)
	if err == nil {
		c.t.effect(b, "fetch", req.URL, req.Method+" "+strconv.Itoa(got.Status))
	}
	return got, err
}
