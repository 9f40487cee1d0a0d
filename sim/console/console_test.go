package console

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/memnet"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

const good = "use omw.v1\nchrome connect\n"

type line struct {
	Said string `json:"said"`
}

// echo answers a line with the tape's name and one with its number of lines.
func echo(_ context.Context, t *tape.Tape, emit func(any) error) error {
	return errors.Join(emit(line{t.Name}), emit(line{strings.Repeat("|", len(t.Lines))}))
}

func post(t *testing.T, cfg Config, target, body string, header ...string) (int, string) {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	New(cfg).ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

func TestAScriptIsPlayedAndAnswered(t *testing.T) {
	status, body := post(t, Config{Play: echo}, "/play", good)
	require.Equal(t, 200, status)
	require.Equal(t, "{\"said\":\"script\"}\n{\"said\":\"|\"}\n", body)
	_, body = post(t, Config{Play: echo}, "/play?name=bug.tape", good)
	require.Contains(t, body, "bug.tape")
}

func TestABadScriptIsRefusedWhole(t *testing.T) {
	never := func(context.Context, *tape.Tape, func(any) error) error { panic("played") }
	status, body := post(t, Config{Play: never}, "/play?name=a.tape", "use omw.v1\nchrome connect\nchrome conect\nchrome wink\n")
	require.Equal(t, 400, status)
	require.Contains(t, body, `"error":"a.tape:3: `)
	require.Contains(t, body, `{"file":"a.tape","line":3,`)
	require.Contains(t, body, `{"file":"a.tape","line":4,`)
	require.NotContains(t, body, `"line":2`)
}

func TestTheSizeOfAScript(t *testing.T) {
	status, _ := post(t, Config{Play: echo, Most: int64(len(good))}, "/play", good)
	require.Equal(t, 200, status)
	status, body := post(t, Config{Play: echo, Most: int64(len(good)) - 1}, "/play", good)
	require.Equal(t, 413, status)
	require.Contains(t, body, "larger than")
}

func TestWhoMayComeIn(t *testing.T) {
	for _, c := range []struct {
		name   string
		token  string
		header []string
		want   int
	}{
		{"the socket's owner", "", nil, 200},
		{"a page", "", []string{"Origin", "https://evil.test"}, 403},
		{"a page that says nothing", "", []string{"Origin", "null"}, 403},
		{"a page's navigation", "", []string{"Sec-Fetch-Site", "none"}, 403},
		{"the token", "s3cret", []string{"Host", "127.0.0.1:1", "Authorization", "Bearer s3cret"}, 200},
		{"the token, no port", "s3cret", []string{"Host", "127.0.0.1", "Authorization", "bearer s3cret"}, 200},
		{"no token", "s3cret", []string{"Host", "127.0.0.1"}, 401},
		{"another one", "s3cret", []string{"Host", "127.0.0.1", "Authorization", "Bearer s3cres"}, 401},
		{"a part of it", "s3cret", []string{"Host", "127.0.0.1", "Authorization", "Bearer s3cre"}, 401},
		{"another scheme", "s3cret", []string{"Host", "127.0.0.1", "Authorization", "Basic s3cret"}, 401},
		{"a name that points there", "s3cret", []string{"Host", "evil.test:1", "Authorization", "Bearer s3cret"}, 403},
		{"a page with the token", "s3cret", []string{"Host", "127.0.0.1", "Authorization", "Bearer s3cret", "Origin", "https://evil.test"}, 403},
	} {
		status, body := post(t, Config{Play: echo, Token: c.token}, "/play", good, c.header...)
		require.Equal(t, c.want, status, c.name)
		require.NotContains(t, body, "s3cret", c.name)
	}
}

func TestOtherPathsAndMethods(t *testing.T) {
	c := New(Config{Play: echo})
	w := httptest.NewRecorder()
	c.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/play", nil))
	require.Equal(t, 405, w.Code)
	require.Equal(t, "POST", w.Header().Get("Allow"))
	w = httptest.NewRecorder()
	c.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", nil))
	require.Equal(t, 404, w.Code)
}

func TestWhenThePlayerFails(t *testing.T) {
	fails := func(_ context.Context, _ *tape.Tape, _ func(any) error) error { return errors.New("no daemon") }
	status, body := post(t, Config{Play: fails}, "/play", good)
	require.Equal(t, 503, status)
	require.JSONEq(t, `{"error":"no daemon"}`, body)
	cannot := func(_ context.Context, p *tape.Tape, _ func(any) error) error {
		return &tape.Error{Name: p.Name, Faults: []tape.Fault{{Line: 2, Problem: "not here"}}}
	}
	status, body = post(t, Config{Play: cannot}, "/play", good)
	require.Equal(t, 400, status)
	require.JSONEq(t, `{"error":"script:2: not here","faults":[{"file":"script","line":2,"problem":"not here"}]}`, body)
	halfway := func(_ context.Context, _ *tape.Tape, emit func(any) error) error {
		return errors.Join(emit(line{"began"}), errors.New("it died"))
	}
	status, body = post(t, Config{Play: halfway}, "/play", good)
	require.Equal(t, 200, status, "it is said already")
	require.Equal(t, "{\"said\":\"began\"}\n{\"error\":\"it died\"}\n", body)
}

// In a bubble: scripts that come together are played one after the other, one
// whose caller hangs up gives its turn away, and the end of Serve ends the rest.
func TestScriptsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := memnet.New()
		began, goOn := make(chan string, 10), make(chan struct{})
		c := New(Config{Play: func(ctx context.Context, p *tape.Tape, emit func(any) error) error {
			began <- p.Name
			select {
			case <-goOn:
				return emit(line{"done"})
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}})
		ctx, cancel := context.WithCancel(context.Background())
		served := make(chan error, 1)
		ln := network.Listen()
		go func() { served <- c.Serve(ctx, ln) }()
		transport := &http.Transport{DialContext: network.DialContext, DisableKeepAlives: true}
		send := func(ctx context.Context, name string) chan string {
			answer := make(chan string, 1)
			go func() {
				r, _ := http.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1:17373/play?name="+name, strings.NewReader(good))
				resp, err := transport.RoundTrip(r)
				if err != nil {
					answer <- "error"
					return
				}
				b, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				answer <- string(b)
			}()
			synctest.Wait()
			return answer
		}
		first := send(ctx, "first")
		leaves, leave := context.WithCancel(ctx)
		second, third := send(leaves, "second"), send(context.Background(), "third")
		require.Equal(t, "first", <-began)
		require.Empty(t, began, "one at a time")
		leave()
		require.Equal(t, "error", <-second)
		synctest.Wait()
		goOn <- struct{}{}
		require.Equal(t, "{\"said\":\"done\"}\n", <-first)
		require.Equal(t, "third", <-began, "the second one has gone")
		cancel()
		require.Contains(t, <-third, "canceled")
		require.NoError(t, <-served)
	})
}
