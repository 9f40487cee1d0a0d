package watch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/watch"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const token = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

// talk is a conversation of a client with a daemon, told to a judge.
type talk struct {
	judge *watch.Judge
	now   time.Time
	seq   int
}

func begin() *talk {
	return &talk{judge: watch.New(func() []string { return []string{token} }), now: time.Unix(1_000_000, 0)}
}

// proven is a talk in which the daemon has shown the token.
func proven() *talk {
	t := begin()
	nonce := strings.Repeat("n", 22)
	seq := t.ask("GET", "/ping?nonce="+nonce, "", nil)
	t.answer(seq, 200, fmt.Sprintf(`{"name":"omw","proof":%q}`, protocol.Proof(token, nonce)))
	return t
}

func (t *talk) ask(method, target, body string, header http.Header) int {
	t.seq++
	t.judge.Asked(watch.Asked{Seq: t.seq, At: t.now, Method: method, Target: target, Header: header, Body: []byte(body)})
	return t.seq
}

func (t *talk) command(body string) int {
	return t.ask("POST", "/command", body, http.Header{"Authorization": {"Bearer " + token}})
}

func (t *talk) answer(seq, status int, body string) {
	t.judge.Answered(watch.Answered{Seq: seq, At: t.now, Status: status, Header: http.Header{}, Body: []byte(body)})
}

// checks are what was found.
func (t *talk) checks() []string {
	var all []string
	for _, f := range t.judge.Findings() {
		all = append(all, f.Check)
	}
	return all
}

const (
	click   = `{"action":"click","session":"shop","args":{"ref":"@e5","button":"left"}}`
	unknown = `{"id":"1","ok":false,"error":{"code":"outcome_unknown","message":"m","delivered":"unknown"}}`
	done    = `{"id":"1","ok":true,"data":{}}`
	busy    = `{"id":"1","ok":false,"error":{"code":"busy","message":"m","delivered":"no"}}`
)

func TestUncertainCommandSentAgain(t *testing.T) {
	for name, c := range map[string]struct {
		answer  string
		status  int
		between string // a command that is answered ok in between
		again   string
		found   bool
	}{
		"at once":                       {unknown, 200, "", click, true},
		"in another spelling":           {unknown, 200, "", `{"args":{"button":"left","ref":"@e5"}, "session":"shop", "action":"click", "timeout_ms":5}`, true},
		"without an answer":             {"", 0, "", click, true},
		"after a snapshot":              {unknown, 200, `{"action":"snapshot","session":"shop"}`, click, false},
		"after code that may have read": {unknown, 200, `{"action":"evaluate","session":"shop","args":{"code":"1"}}`, click, false},
		"after its session was closed":  {unknown, 200, `{"action":"close_session","session":"shop"}`, click, false},
		"after a snapshot of another":   {unknown, 200, `{"action":"snapshot","session":"mail"}`, click, true},
		"after another click":           {unknown, 200, `{"action":"click","session":"shop","args":{"ref":"@e6"}}`, click, true},
		"another element":               {unknown, 200, "", `{"action":"click","session":"shop","args":{"ref":"@e6"}}`, false},
		"another session":               {unknown, 200, "", `{"action":"click","session":"mail","args":{"ref":"@e5","button":"left"}}`, false},
		"it never left":                 {strings.Replace(unknown, `"delivered":"unknown"`, `"delivered":"no"`, 1), 200, "", click, false},
		"it failed":                     {`{"id":"1","ok":false,"error":{"code":"stale_ref","message":"m"}}`, 200, "", click, false},
		"it was done":                   {done, 200, "", click, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := proven()
			w.answer(w.command(click), c.status, c.answer)
			if c.between != "" {
				w.answer(w.command(c.between), 200, done)
			}
			w.command(c.again)
			if c.found {
				require.Equal(t, []string{"CMD-12/sent-again"}, w.checks())
			} else {
				require.Empty(t, w.checks())
			}
		})
	}
}

func TestAliasIsTheSameAction(t *testing.T) {
	w := proven()
	w.answer(w.command(`{"action":"open","args":{"url":"http://x/"}}`), 200, unknown)
	w.command(`{"action":"navigate","session":"default","args":{"url":"http://x/"}}`)
	require.Equal(t, []string{"CMD-12/sent-again"}, w.checks())
}

func TestWhatChangesNothingMayBeSentAgain(t *testing.T) {
	for _, body := range []string{
		`{"action":"snapshot"}`, `{"action":"tabs"}`, `{"action":"extract","args":{"selector":"p"}}`, `{"action":"network","args":{"cmd":"list"}}`,
		`{"action":"cookies","args":{"cmd":"get"}}`,
	} {
		w := proven()
		w.answer(w.command(body), 200, unknown)
		w.command(body)
		require.Empty(t, w.checks(), body)
	}
	for _, body := range []string{`{"action":"evaluate","args":{"code":"1"}}`, `{"action":"cookies","args":{"cmd":"clear"}}`, `{"action":"network","args":{"cmd":"clear"}}`} {
		w := proven()
		w.answer(w.command(body), 200, unknown)
		w.command(body)
		require.Equal(t, []string{"CMD-12/sent-again"}, w.checks(), body)
	}
}

func TestBusyIsHeeded(t *testing.T) {
	for name, c := range map[string]struct {
		after string
		wait  time.Duration
		found bool
	}{
		"as long as it says":          {"2", 2 * time.Second, false},
		"a nanosecond less":           {"2", 2*time.Second - 1, true},
		"it says nothing, the least":  {"", watch.Patience, false},
		"it says nothing, a bit less": {"", watch.Patience - 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := proven()
			header := http.Header{}
			status := 200
			if c.after != "" {
				header.Set("Retry-After", c.after)
				status = 503
			}
			w.judge.Answered(watch.Answered{Seq: w.command(click), At: w.now, Status: status, Header: header, Body: []byte(busy)})
			w.now = w.now.Add(c.wait)
			w.command(click)
			if c.found {
				require.Equal(t, []string{"LIMIT-02/not-heeded"}, w.checks())
			} else {
				require.Empty(t, w.checks())
			}
		})
	}
	w := proven()
	w.answer(w.command(click), 503, busy)
	w.command(`{"action":"click","session":"shop","args":{"ref":"@e6"}}`)
	require.Empty(t, w.checks(), "another command is another matter")
}

func TestIDs(t *testing.T) {
	with := func(id, ref string) string {
		return fmt.Sprintf(`{"id":%q,"action":"click","session":"shop","args":{"ref":%q}}`, id, ref)
	}
	w := proven()
	first := w.command(with("a", "@e1"))
	w.command(with("a", "@e2"))
	require.Equal(t, []string{"CMD-03/id-reused"}, w.checks())

	w = proven()
	w.answer(w.command(with("a", "@e1")), 200, done)
	w.answer(w.command(with("a", "@e2")), 200, done)
	require.Empty(t, w.checks(), "an id is free when its command is over")

	w = proven()
	w.answer(w.command(with("a", "@e1")), 200, unknown)
	w.command(with("a", "@e2"))
	require.Equal(t, []string{"CMD-03/id-of-uncertain"}, w.checks(), "a late answer would satisfy the newer one")

	w = proven()
	w.command(with("a", "@e1"))
	w.command(strings.Replace(with("a", "@e2"), "shop", "mail", 1))
	require.Empty(t, w.checks(), "sessions have ids of their own")
	require.Equal(t, 1, first-1)
}

func TestToken(t *testing.T) {
	percent := strings.Replace(token, "A", "%41", 1)
	for name, c := range map[string]struct {
		target, body string
		header       http.Header
		found        bool
	}{
		"in its header":               {"/command", click, http.Header{"Authorization": {"Bearer " + token}}, false},
		"the scheme in another case":  {"/command", click, http.Header{"Authorization": {"bearer " + token}}, false},
		"in the query":                {"/command?token=" + token, click, http.Header{"Authorization": {"Bearer " + token}}, true},
		"percent-encoded":             {"/command?token=" + percent, click, nil, true},
		"in the path":                 {"/" + token + "/command", click, nil, true},
		"in a cookie":                 {"/command", click, http.Header{"Cookie": {"t=" + token}}, true},
		"in the body":                 {"/command", `{"action":"click","token":"` + token + `"}`, http.Header{"Authorization": {"Bearer " + token}}, true},
		"under another scheme":        {"/command", click, http.Header{"Authorization": {"Basic " + token}}, true},
		"twice":                       {"/command", click, http.Header{"Authorization": {"Bearer " + token, "Bearer " + token}}, true},
		"with a word behind it":       {"/command", click, http.Header{"Authorization": {"Bearer " + token + " x"}}, true},
		"another one is no concern":   {"/command?token=" + token[1:] + "B", click, nil, false},
		"no token is the daemon's":    {"/command", click, nil, false},
		"a wrong token is no secret":  {"/command", click, http.Header{"Authorization": {"Bearer wrong"}}, false},
		"the token in a header alone": {"/command", click, http.Header{"X-Token": {token}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := proven()
			w.ask("POST", c.target, c.body, c.header)
			if c.found {
				require.Equal(t, []string{"AUTH-03/misplaced"}, w.checks())
			} else {
				require.Empty(t, w.checks())
			}
			for _, f := range w.judge.Findings() {
				require.NotContains(t, f.Reason+f.Right, token)
			}
		})
	}
}

func TestProofComesFirst(t *testing.T) {
	w := begin()
	w.command(click)
	require.Equal(t, []string{"AUTH-20/unproven"}, w.checks())

	w = proven()
	w.command(click)
	require.Empty(t, w.checks())
	require.Equal(t, 1, w.judge.Met(watch.RuleProof))

	nonce := strings.Repeat("n", 22)
	for name, pong := range map[string]string{
		"no proof":      `{"name":"omw"}`,
		"another's":     fmt.Sprintf(`{"proof":%q}`, protocol.Proof("B"+token[1:], nonce)),
		"of another":    fmt.Sprintf(`{"proof":%q}`, protocol.Proof(token, nonce+"n")),
		"no JSON":       "proof",
		"not asked for": "",
	} {
		w = begin()
		target := "/ping?nonce=" + nonce
		if pong == "" {
			target, pong = "/ping", fmt.Sprintf(`{"proof":%q}`, protocol.Proof(token, nonce))
		}
		w.answer(w.ask("GET", target, "", nil), 200, pong)
		w.command(click)
		require.Equal(t, []string{"AUTH-20/unproven"}, w.checks(), name)
	}
}
