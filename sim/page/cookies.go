package page

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/publicsuffix"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// jar holds the cookies of the browser's profile (RFC 6265, 5.3 and 5.4). It is
// no net/http/cookiejar because that one cannot be listed.
type jar struct {
	cookies []*cookie
	made    int
}

// cookie is common.json's cookie.
type cookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain"`
	Path     string  `json:"path"`
	Secure   bool    `json:"secure"`
	HTTPOnly bool    `json:"http_only"`
	SameSite string  `json:"same_site"`
	Expires  float64 `json:"expires,omitzero"`

	hostOnly bool
	n        int
}

// take keeps what Set-Cookie headers say.
func (j *jar) take(u *url.URL, h http.Header) {
	for _, line := range h.Values("Set-Cookie") {
		k, err := http.ParseSetCookie(line)
		if err != nil {
			continue
		}
		expires := float64(0)
		switch {
		case k.MaxAge < 0:
			expires = 1
		case k.MaxAge > 0:
			expires = seconds(time.Now().Add(time.Duration(k.MaxAge) * time.Second))
		case !k.Expires.IsZero():
			expires = max(1, seconds(k.Expires))
		}
		j.set(u, &cookie{
			Name: k.Name, Value: k.Value, Domain: k.Domain, Path: k.Path, Secure: k.Secure, HTTPOnly: k.HttpOnly,
			SameSite: sameSite(k.SameSite), Expires: expires,
		})
	}
}

func sameSite(s http.SameSite) string {
	switch s {
	case http.SameSiteStrictMode:
		return "strict"
	case http.SameSiteLaxMode:
		return "lax"
	case http.SameSiteNoneMode:
		return "none"
	}
	return "unspecified"
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// set keeps a cookie for u, in the place of one of the same name, domain and path;
// false if u may not set it.
func (j *jar) set(u *url.URL, k *cookie) bool {
	host := strings.ToLower(u.Hostname())
	k.Domain = strings.ToLower(strings.TrimPrefix(k.Domain, "."))
	switch {
	case host == "":
		return false
	case k.Domain == "" || k.Domain == host:
		k.hostOnly = k.Domain == ""
		k.Domain = host
	case !strings.HasSuffix(host, "."+k.Domain):
		return false
	default:
		if suffix, _ := publicsuffix.PublicSuffix(k.Domain); suffix == k.Domain {
			return false
		}
	}
	if k.Secure && u.Scheme != "https" && host != "localhost" && host != "127.0.0.1" {
		return false
	}
	if !strings.HasPrefix(k.Path, "/") {
		k.Path = defaultPath(u.Path)
	}
	j.made++
	k.n = j.made
	j.cookies = slices.DeleteFunc(j.cookies, func(old *cookie) bool {
		same := old.Name == k.Name && old.Domain == k.Domain && old.Path == k.Path && old.hostOnly == k.hostOnly
		if same {
			k.n = old.n
		}
		return same
	})
	if !k.dead() {
		j.cookies = append(j.cookies, k)
	}
	return true
}

// defaultPath is where a cookie without a path is sent (RFC 6265, 5.1.4).
func defaultPath(p string) string {
	at := strings.LastIndexByte(p, '/')
	if at <= 0 {
		return "/"
	}
	return p[:at]
}

func (k *cookie) dead() bool { return k.Expires != 0 && k.Expires <= seconds(time.Now()) }

// goesTo reports whether the cookie is sent with a request to u.
func (k *cookie) goesTo(u *url.URL) bool {
	path := u.Path
	if path == "" {
		path = "/"
	}
	if path != k.Path && (!strings.HasPrefix(path, k.Path) || (!strings.HasSuffix(k.Path, "/") && path[len(k.Path)] != '/')) {
		return false
	}
	host := strings.ToLower(u.Hostname())
	if k.Secure && u.Scheme != "https" && host != "localhost" && host != "127.0.0.1" {
		return false
	}
	return k.of(host)
}

// of reports whether host is in the cookie's domain.
func (k *cookie) of(host string) bool {
	return host == k.Domain || (!k.hostOnly && strings.HasSuffix(host, "."+k.Domain))
}

// list returns the living cookies that ok takes, the longest path first, then the
// oldest (RFC 6265, 5.4).
func (j *jar) list(ok func(*cookie) bool) []*cookie {
	j.cookies = slices.DeleteFunc(j.cookies, (*cookie).dead)
	found := []*cookie{}
	for _, k := range j.cookies {
		if ok(k) {
			found = append(found, k)
		}
	}
	slices.SortStableFunc(found, func(a, b *cookie) int {
		return cmp.Or(cmp.Compare(len(b.Path), len(a.Path)), cmp.Compare(a.n, b.n))
	})
	return found
}

// header is the Cookie header of a request to u.
func (j *jar) header(u *url.URL) string {
	var b strings.Builder
	for i, k := range j.list(func(k *cookie) bool { return k.goesTo(u) }) {
		if i > 0 {
			b.WriteString("; ")
		}
		b.WriteString(k.Name + "=" + k.Value)
	}
	return b.String()
}

// cookies performs the action of that name, for the site of the tab.
func (c *call) cookies(b *tab) (any, error) {
	u := parsed(b.url())
	if u.Hostname() == "" {
		return nil, fail(protocol.BadRequest, "the tab shows no site that could have cookies: %s", b.url())
	}
	host := strings.ToLower(u.Hostname())
	name := c.text("name")
	mine := func(k *cookie) bool { return k.of(host) && (name == "" || k.Name == name) }
	j := &c.t.jar
	switch c.text("cmd") {
	case "set":
		expires, _ := c.number("expires")
		path := c.text("path")
		if path == "" {
			path = "/"
		}
		same := c.text("same_site")
		if same == "" {
			same = "unspecified"
		}
		if c.has("expires") && expires == 0 {
			expires = 1 // Long over: it clears the cookie.
		}
		if !j.set(u, &cookie{
			Name: name, Value: c.text("value"), Domain: c.text("domain"), Path: path, Secure: c.flag("secure"),
			HTTPOnly: c.flag("http_only"), SameSite: same, Expires: expires,
		}) {
			return nil, fail(protocol.BadRequest, "%s may not set a cookie of that domain, or a secure one without https", b.url())
		}
		name = ""
	case "clear":
		j.cookies = slices.DeleteFunc(j.cookies, mine)
		name = ""
	}
	return map[string]any{"cookies": j.list(mine)}, nil
}
