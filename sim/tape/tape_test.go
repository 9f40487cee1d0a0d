package tape_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/sim/tape"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

func TestParse(t *testing.T) {
	const text = `# The sentence.
#
#   More.

use omw.v1 seed=18446744073709551615 # behind the header
chrome  connect
chrome	hello   sessions="my shop" version=1
# alone
agent   do a1 evaluate "code=1" code="a \"b\"\n#" session={x} # behind

+1m30.5s
agent  expect a1 ok
-- f.json --
{}
`
	_, err := tape.Parse("x", []byte(text))
	require.ErrorContains(t, err, `x:9: do: "code=1" is one word too many`)
	require.ErrorContains(t, err, `x:13: nothing uses the file "f.json"`)
	good := strings.NewReplacer(`"code=1" `, "", "-- f.json --\n{}\n", "").Replace(text)
	parsed, err := tape.Parse("x", []byte(good))
	require.NoError(t, err)
	require.Equal(t, &tape.Tape{
		Name: "x", Head: []string{"The sentence.", "", "  More.", "behind the header"}, Seed: 1<<64 - 1,
		Lines: []tape.Line{
			{N: 6, Actor: "chrome", Verb: "connect"},
			{N: 7, Actor: "chrome", Verb: "hello", Args: []tape.Arg{{"sessions", "my shop"}, {"version", "1"}}},
			{N: 8, Comment: "alone"},
			{N: 9, Actor: "agent", Verb: "do", Words: []string{"a1", "evaluate"}, Args: []tape.Arg{{"code", "a \"b\"\n#"}, {"session", "{x}"}}, Comment: "behind"},
			{N: 10},
			{N: 11, Wait: 90*time.Second + 500*time.Millisecond},
			{N: 12, Actor: "agent", Verb: "expect", Words: []string{"a1", "ok"}},
		},
	}, parsed)
	require.Equal(t, "The sentence.", parsed.Title())
	require.Equal(t, []string{"chrome", "agent"}, parsed.Actors())
	windows, err := tape.Parse("x", []byte(strings.ReplaceAll(good, "\n", "\r\n")))
	require.NoError(t, err)
	require.Equal(t, parsed, windows, "lines that end as Windows ends them are the same")
}

// TestFaults requires that each fault is told with its line and what to do.
func TestFaults(t *testing.T) {
	for _, tc := range []struct{ script, want string }{
		{"", "x:1: the header is missing: use omw.v1"},
		{"# nothing\n", "x:1: the header is missing: use omw.v1"},
		{"chrome connect\n", "x:1: the first line says which protocol the tape speaks: use omw.v1"},
		{"use omw.v2\nchrome connect\n", "x:1: tapes speak omw.v1: use omw.v1"},
		{"use\nchrome connect\n", "x:1: tapes speak omw.v1: use omw.v1"},
		{"use omw.v1 seed=x\nchrome connect\n", `x:1: seed= is a whole number from 0 to 2^64-1, not "x"`},
		{"use omw.v1 seed=18446744073709551616\nchrome connect\n", `x:1: seed= is a whole number`},
		{"use omw.v1 seed=1 seed=2\nchrome connect\n", "x:1: the header takes seed=N, once, and nothing else: seed=2"},
		{"use omw.v1 fast\nchrome connect\n", "x:1: the header takes seed=N, once, and nothing else: fast"},
		{"use omw.v1\n", "x:1: nobody does anything in this tape"},
		{"use omw.v1\n+1s\n", "x:1: nobody does anything in this tape"},
		{"use omw.v1\nchrom connect\n", `x:2: nobody is called "chrom"; did you mean chrome?; actors are chrome`},
		{"use omw.v1\nchrome\n", "x:2: chrome does nothing: a verb is missing; chrome can connect"},
		{"use omw.v1\nchrome conect\n", `x:2: chrome cannot "conect"; did you mean connect?; it can connect, hello`},
		{"use omw.v1\nagent connect\n", `x:2: agent cannot "connect"`},
		{"use omw.v1\nchrome expect\n", "x:2: expect: id is missing; write it as: expect ID"},
		{"use omw.v1\nchrome ping pong\n", `x:2: ping: "pong" is one word too many; write it as: ping`},
		{"use omw.v1\nchrome connect within=5\n", `x:2: connect: within= is a time such as 7s, 1m30s or 29.999999999s, not "5"`},
		{"use omw.v1\nchrome connect within=-1s\n", `x:2: connect: within= is a time`},
		{"use omw.v1\nchrome connect refused=99\n", `x:2: connect: refused= is a whole number from 100 to 599, not "99"`},
		{"use omw.v1\nchrome connect refused=600\n", `x:2: connect: refused= is a whole number from 100 to 599, not "600"`},
		{"use omw.v1\nchrome drop at=3s fin\n", "x:2: at= belongs to what is expected, and drop expects nothing; let time pass with a line such as +7s"},
		{"use omw.v1\nchrome drop fin fast=1\n", "x:2: drop takes no fast=, nor anything of the kind"},
		{"use omw.v1\nchrome hello sesions=a\n", "x:2: hello takes no sesions=; did you mean sessions?; it takes sessions, browser"},
		{"use omw.v1\nchrome hello version=1 version=2\n", "x:2: hello: version= stands there twice"},
		{"use omw.v1\nchrome drop\n", "x:2: drop: how is missing"},
		{"use omw.v1\nchrome drop fim\n", `x:2: drop: how is fin or rst, not "fim"; did you mean fin?`},
		{"use omw.v1\nchrome cut\n", "x:2: cut: after= is missing"},
		{"use omw.v1\n+7\nchrome ping\n", "x:2: a time line is + and how long"},
		{"use omw.v1\n+0s\nchrome ping\n", "x:2: a time line is + and how long, such as +7s; it must be more than nothing"},
		{"use omw.v1\n+1s later\nchrome ping\n", "x:2: a time line holds nothing but its time"},
		{"use omw.v1\nagent do a1 clik\n", `x:2: do: action is an action of omw.v1, not "clik"; did you mean click?; send it with a body of its own`},
		{"use omw.v1\nagent do a1 click reff=@e4\n", "x:2: click has no argument reff=; did you mean ref?"},
		{"use omw.v1\nagent do a1 click timeout=1ns\n", "x:2: do: timeout= is whole milliseconds"},
		{"use omw.v1\nagent do a1 click times=0\n", "x:2: do: times= is a whole number from 1 to 10000"},
		{"use omw.v1\nagent do a1 click times=10001\n", "x:2: do: times= is a whole number from 1 to 10000"},
		{"use omw.v1\nagent do a.1 click\n", `x:2: do: id is letters, digits and -, at most 64, not "a.1"`},
		{"use omw.v1\nagent do nothing click\n", `x:2: do: id cannot be "nothing", which means something else here`},
		{"use omw.v1\nagent do a1 click\nagent do a1 click\n", "x:3: the id a1 is taken by line 2; each request has one of its own"},
		{"use omw.v1\nagent do a1 click\nagent expect a2 ok\n", `x:3: expect: no line above brings in the id "a2"; did you mean a1?`},
		{"use omw.v1\nagent expect a1 ok\nagent do a1 click\n", `x:2: expect: no line above brings in the id "a1"`},
		{"use omw.v1\nagent do a1 click\nagent expect a1 error=outcome_unkown\n", `x:3: expect: error= is an error code of omw.v1, not "outcome_unkown"; did you mean outcome_unknown?`},
		{"use omw.v1\nagent do a1 click\nagent expect a1 ok error=busy\n", "x:3: expect: ok and error= exclude each other"},
		{"use omw.v1\nagent do a1 click\nagent expect a1 error=busy data={}\n", "x:3: expect: an error has no data="},
		{"use omw.v1\nagent do a1 click\nagent expect a1 ok delivered=no\n", "x:3: expect: delivered= belongs to an error, and ok is said"},
		{"use omw.v1\nagent do a1 click\nagent expect a1 no-answer status=200\n", "x:3: expect: no-answer has no status="},
		{"use omw.v1\nagent do a1 click\nagent expect a1 pending at=1s\n", "x:3: expect: pending has no at="},
		{"use omw.v1\nagent do a1 click\nagent expect a1 data=1\n", `x:3: expect: data= is a JSON object, not "1"`},
		{"use omw.v1\nagent do a1 click\nagent2 expect a1 ok\n", "x:3: expect: a1 is agent's request, not agent2's"},
		{"use omw.v1\nagent do a1 click times=3\nagent expect a1 ok\n", "x:3: expect: a1 stands for 3 requests: say a1.1 to a1.3, or a1.* for each of them"},
		{"use omw.v1\nagent do a1 click times=3\nagent expect a1.4 ok\n", `x:3: expect: a1 has a1.1 to a1.3, not "a1.4"`},
		{"use omw.v1\nagent do a1 click times=3\nagent expect a1.01 ok\n", `x:3: expect: a1 has a1.1 to a1.3, not "a1.01"`},
		{"use omw.v1\nagent do a1 click\nagent expect a1.1 ok\n", `x:3: expect: a1 is one request, and has no "a1.1"`},
		{"use omw.v1\nagent do a1 click\nchrome expect a1 ok\n", "x:3: expect: a1 is a command, which is not ok before it was answered"},
		{"use omw.v1\nagent do a1 click\nchrome expect a1 error=busy\n", "x:3: expect: a1 is a command that reaches the browser, and has no error="},
		{"use omw.v1\nchrome ask r1 sessions\nfirefox expect r1 ok\n", "x:3: expect: r1 is what chrome asked; only chrome can expect its result"},
		{"use omw.v1\nchrome ask r1 sessions\nchrome expect r1 action=sessions\n", "x:3: expect: r1 is what chrome asked, whose result has no action="},
		{"use omw.v1\nagent do a1 click\nchrome reply a1\n", "x:3: reply says one of ok, error=, data= and file=, not none of them"},
		{"use omw.v1\nagent do a1 click\nchrome reply a1 ok data={}\n", "x:3: reply says one of ok, error=, data= and file=, not ok and data="},
		{"use omw.v1\nagent do a1 click\nchrome reply a1 ok message=x\n", "x:3: reply: message= belongs to error="},
		{"use omw.v1\nagent do a1 click\nchrome late a1 ok\n", "x:3: late: after= is missing"},
		{"use omw.v1\nagent do a1 click\nchrome wrong-connection a1 ok on=firefox\n", `x:3: wrong-connection: on= is another browser that acts in this tape, not "firefox"`},
		{"use omw.v1\nagent do a1 click\nchrome wrong-connection a1 ok on=chrome\n", `not "chrome"`},
		{"use omw.v1\nchrome run\nchrome join\n", "x:3: chrome runs by itself in this tape, and needs no join; leave out one of the two"},
		{"use omw.v1\nchrome run\nchrome run\n", "x:3: chrome runs already"},
		{"use omw.v1\nchrome join\nchrome page f.html\n-- f.html --\n", "x:3: page stands before the first connection of chrome"},
		{"use omw.v1\nagent send a1 POST /command clic.json\n-- click.json --\n{}\n", `x:2: there is no file "clic.json" in this tape; did you mean click.json?; write it below the script, under a line -- clic.json --`},
		{"use omw.v1\nagent send a1 POST /command clic.json\n-- click.json --\n{}\n", `x:3: nothing uses the file "click.json"; name it in a line, or leave it out`},
		{"use omw.v1\nchrome frame f\n-- f --\n{}\n-- f --\n{}\n", `x:5: the file "f" is there twice`},
		{"use omw.v1\nchrome frame f.b64\n-- f.b64 --\n*\n", `x:3: the file "f.b64" is no base64`},
		{"use omw.v1\nagent send a1 POST /x {} bytes=3\n", "x:2: send: a body of its own and bytes= exclude each other"},
		{"use omw.v1\nagent send a1 GET /x header=x\n", `x:2: send: header= is a line such as "Name: value", not "x"`},
		{"use omw.v1\nagent send a1 GET \"/x y\"\n", `x:2: send: path has a blank in it`},
		{"use omw.v1\nagent send a1 POST /x {\"a\":1\n", "x:2: a JSON value has no end in this line; put it in a file below the script"},
		{"use omw.v1\nagent send a1 GET \"/x\n", "x:2: a quoted text has no end"},
		{"use omw.v1\nagent send a1 GET /x\"y\"\n", `x:2: a " stands inside a word; write the whole value as "…"`},
		{"use omw.v1\nagent send a1 GET \"/x\"y\n", `x:2: a blank is missing behind "/x"`},
		{"use omw.v1\nchrome ping \xff\n", "x:2: the line is no text: UTF-8"},
		{"use omw.v1\nchrome starts a1 -1\nagent do a1 click\n", "x:2: starts: times is a whole number from 0"},
	} {
		_, err := tape.Parse("x", []byte(tc.script))
		wrong, ok := errors.AsType[*tape.Error](err)
		require.True(t, ok, "%q: %v", tc.script, err)
		require.Contains(t, wrong.Error(), tc.want, "%q", tc.script)
	}
}

func TestAllFaultsAreToldInTheirOrder(t *testing.T) {
	_, err := tape.Parse("x", []byte("use omw.v2\nchrome jion\n+soon\nagent do a1 clik\nagent expect a2 ok\n"))
	wrong, ok := errors.AsType[*tape.Error](err)
	require.True(t, ok)
	var lines []string
	for _, f := range wrong.Faults {
		lines = append(lines, strconv.Itoa(f.Line))
	}
	require.Equal(t, "1 2 3 4 5", strings.Join(lines, " "), wrong.Error())
}

func TestSize(t *testing.T) {
	good := "use omw.v1\nchrome ping\n#"
	_, err := tape.Parse("x", []byte(good+strings.Repeat("x", tape.MaxSize-len(good))))
	require.NoError(t, err)
	_, err = tape.Parse("x", []byte(good+strings.Repeat("x", tape.MaxSize-len(good)+1)))
	require.ErrorContains(t, err, "x:1: a tape has at most")
}

func TestATapeWithoutAgentsNamesCommandsByItsExpectations(t *testing.T) {
	_, err := tape.Parse("x", []byte("use omw.v1\nchrome join\nchrome expect a1\nchrome reply a1 ok\n"))
	require.NoError(t, err)
	_, err = tape.Parse("x", []byte("use omw.v1\nchrome join\nchrome expect a.1\n"))
	require.ErrorContains(t, err, "x:3: expect: id is letters")
}

func TestPayload(t *testing.T) {
	for _, content := range []string{"", "x", "{}\n", "\n", "a\r\nb", "-- x --\n", "a\n-- f.json --\nb", "\x00\xff", "\r"} {
		f := tape.NewFile("f", []byte(content))
		got, err := f.Payload()
		require.NoError(t, err)
		require.Equal(t, content, string(got))
		made := &tape.Tape{Name: "x", Seed: 1, Lines: []tape.Line{{Actor: "chrome", Verb: "frame", Words: []string{f.Name}}}, Files: []tape.File{f}}
		require.NoError(t, made.Check(), "%q", content)
		again, err := tape.Parse("x", made.Format())
		require.NoError(t, err)
		require.Equal(t, f, again.Files[0])
	}
	require.Equal(t, "f", tape.NewFile("f", []byte("plain")).Name)
	require.Equal(t, "f.b64", tape.NewFile("f", []byte("a\r\nb")).Name)
	awkward := &tape.Tape{Name: "x", Seed: 1, Lines: []tape.Line{{Actor: "chrome", Verb: "frame", Words: []string{"f"}}}, Files: []tape.File{{Name: "f", Text: "-- g --"}}}
	require.ErrorContains(t, awkward.Check(), `the file "f" cannot stand in a tape as it is`)
}

func TestActionArgs(t *testing.T) {
	for line, want := range map[string]string{
		`click ref=@e4 tab=3 session=s timeout=1s`: `{"ref":"@e4","tab":3}`,
		`click ref=7`:                                   `{"ref":"7"}`,
		`click tab=x`:                                   `{"tab":"x"}`,
		`check ref=@e4 checked=false`:                   `{"ref":"@e4","checked":false}`,
		`select ref=@e4 values=a,b`:                     `{"ref":"@e4","values":["a","b"]}`,
		`select ref=@e4 values=["a,b"]`:                 `{"ref":"@e4","values":["a,b"]}`,
		`type ref=@e4 text="say \"hi\""`:                `{"ref":"@e4","text":"say \"hi\""}`,
		`type ref=@e4 text={}`:                          `{"ref":"@e4","text":"{}"}`,
		`cdp method=Page.enable params={"a":1}`:         `{"method":"Page.enable","params":{"a":1}}`,
		`wait load=true`:                                `{"load":true}`,
		`wait load=load`:                                `{"load":"load"}`,
		`pdf path=/x scale=1.5`:                         `{"path":"/x","scale":1.5}`,
		`sessions`:                                      `{}`,
		`headers cmd=set rules=[{"action":"block"}]`:    `{"cmd":"set","rules":[{"action":"block"}]}`,
		`evaluate code="a \"quoted\" text" await=false`: `{"code":"a \"quoted\" text","await":false}`,
	} {
		parsed, err := tape.Parse("x", []byte("use omw.v1\nagent do a1 "+line+"\n"))
		require.NoError(t, err)
		require.JSONEq(t, want, string(parsed.Lines[0].ActionArgs()), line)
	}
}

func TestExamplesAreInTheirCanonicalForm(t *testing.T) {
	require.NotEmpty(t, examples.Names())
	for _, name := range examples.Names() {
		text, err := os.ReadFile(filepath.Join("examples", name+".tape"))
		require.NoError(t, err)
		parsed, ok := examples.Find(name)
		require.True(t, ok)
		require.Equal(t, string(text), string(parsed.Format()), name)
		require.NotEmpty(t, parsed.Title(), name)
	}
	_, ok := examples.Find("nowhere")
	require.False(t, ok)
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "1s", time.Minute: "1m", time.Hour: "1h", 90 * time.Second: "1m30s", 10 * time.Second: "10s",
		10 * time.Minute: "10m", time.Hour + time.Second: "1h0m1s", 100 * time.Minute: "1h40m", 20 * time.Hour: "20h",
		30*time.Second - 1: "29.999999999s", 0: "0s", 500 * time.Millisecond: "500ms",
	} {
		require.Equal(t, want, tape.Duration(d))
		got, err := time.ParseDuration(tape.Duration(d))
		require.NoError(t, err)
		require.Equal(t, d, got)
	}
}
