package driver_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/driver"
)

// heard is a Driver whose client has said that much, and has then ended.
func heard(t *testing.T, said string, ask int) (*driver.Driver, []<-chan driver.Done) {
	t.Helper()
	stdout, client := io.Pipe()
	d := driver.New(discard{}, stdout)
	var asked []<-chan driver.Done
	for range ask {
		done, err := d.Do(driver.Do{Action: "click"})
		require.NoError(t, err)
		asked = append(asked, done)
	}
	_, _ = io.WriteString(client, said)
	require.NoError(t, client.Close())
	<-d.Over()
	return d, asked
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

func TestWhatAClientMaySay(t *testing.T) {
	d, asked := heard(t, `{"cmd":"done","n":2,"outcome":"unknown"}`+"\n\n"+`{"cmd":"done","n":1,"outcome":"error","code":"stale_ref"}`+"\n", 3)
	require.Equal(t, driver.Done{Cmd: "done", N: 1, Outcome: driver.Error, Code: "stale_ref"}, <-asked[0])
	require.Equal(t, driver.Done{Cmd: "done", N: 2, Outcome: driver.Unknown}, <-asked[1])
	_, ok := <-asked[2]
	require.False(t, ok, "it ended before it said anything of the third")
	require.ErrorIs(t, d.Err(), driver.ErrEnded)
	_, err := d.Do(driver.Do{Action: "click"})
	require.ErrorIs(t, err, driver.ErrEnded)
}

func TestWhatAClientMustNotSay(t *testing.T) {
	done := `{"cmd":"done","n":1,"outcome":"ok"}` + "\n"
	for said, want := range map[string]string{
		"hello\n":   "line 1 of the client's standard output: it is no JSON object",
		done + done: "line 2 of the client's standard output: it says done of 1, which was not asked or is done already",
		`{"cmd":"done","n":2,"outcome":"ok"}` + "\n":            "it says done of 2",
		`{"cmd":"done","n":1,"outcome":"fine"}` + "\n":          `the outcome "fine" is none of ok, error, unknown`,
		`{"cmd":"doing","n":1}` + "\n":                          `"doing" is none of started, done`,
		`{"cmd":"started"}` + "\n" + `{"cmd":"started"}` + "\n": "it says started twice",
		strings.Repeat("x", 1<<20+1) + "\n":                     "token too long",
	} {
		d, _ := heard(t, said, 1)
		require.ErrorContains(t, d.Err(), want)
	}
}

func TestStartWaitsForTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stdout, client := io.Pipe()
		d := driver.New(discard{}, stdout)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := d.Start(ctx, "http://127.0.0.1:1", "t")
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, client.Close())
		<-d.Over()
		_, err = d.Start(t.Context(), "http://127.0.0.1:1", "t")
		require.ErrorIs(t, err, driver.ErrEnded)
	})
}

// echo is a client whose outcome is its action.
type echo struct{ closed *bool }

func (e echo) Close() { *e.closed = true }

func (e echo) Do(ctx context.Context, do driver.Do) (driver.Outcome, string) {
	if do.Action == "wait" {
		<-ctx.Done()
		return driver.Unknown, ""
	}
	return driver.Outcome(do.Action), string(do.Args)
}

// serve has a client answer what the suite says, until that ends.
func serve(t *testing.T, said string) (answers []driver.Done, closed bool, err error) {
	t.Helper()
	var out bytes.Buffer
	err = driver.Serve(t.Context(), strings.NewReader(said), &out, "echo", "1", func(url, token string) (driver.Client, error) {
		if token == "" {
			return nil, errors.New("no token")
		}
		return echo{&closed}, nil
	})
	lines := bufio.NewScanner(&out)
	for lines.Scan() {
		var done driver.Done
		require.NoError(t, json.Unmarshal(lines.Bytes(), &done))
		if done.Cmd == "done" {
			answers = append(answers, done)
		}
	}
	return answers, closed, err
}

const start = `{"cmd":"start","version":1,"url":"http://127.0.0.1:1","token":"t"}` + "\n"

func TestServe(t *testing.T) {
	answers, closed, err := serve(t, start+`{"cmd":"do","n":7,"action":"ok","args":{"a":1}}`+"\n"+`{"cmd":"stop"}`+"\n"+`{"cmd":"do","n":8,"action":"ok"}`+"\n")
	require.NoError(t, err)
	require.True(t, closed)
	require.Equal(t, []driver.Done{{Cmd: "done", N: 7, Outcome: driver.OK, Code: `{"a":1}`}}, answers, "what comes behind stop is not done")

	answers, _, err = serve(t, start+`{"cmd":"do","n":1,"action":"wait"}`+"\n")
	require.NoError(t, err, "the end of its standard input ends it, too")
	require.Len(t, answers, 1)
}

func TestServeRefuses(t *testing.T) {
	for said, want := range map[string]string{
		`{"cmd":"do","n":1,"action":"ok"}` + "\n":               "the suite asks for ok before it says start",
		strings.Replace(start, `"version":1`, `"version":2`, 1): "the suite speaks version 2 of the contract, this client 1",
		strings.Replace(start, `"token":"t"`, `"token":""`, 1):  "no token",
		`{"cmd":"sing"}` + "\n":                                 `the suite says "sing"`,
		"sing\n":                                                "line 1 of the suite is no command of the contract",
	} {
		_, _, err := serve(t, said)
		require.ErrorContains(t, err, want)
	}
}
