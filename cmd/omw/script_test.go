package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/oh-my-webbridge/omw/sim"
)

// The scripts run this binary as omw: the daemon and the verbs are processes of
// their own, with a home of their own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"omw": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			t, ok := env.T().(interface{ Errorf(string, ...any) })
			if !ok {
				return errors.New("a script needs a test that can go on after an error")
			}
			env.Values[sceneKey{}] = &scene{t: t, processes: map[string]*process{}, browsers: map[string]*sim.Browser{}}
			home := filepath.Join(env.WorkDir, "home")
			for _, v := range env.Vars {
				if name, _, _ := strings.Cut(v, "="); name == "OMW_CONFIG_DIR" || name == "XDG_CONFIG_HOME" {
					return errors.New("the environment of a script must not name a config directory")
				}
			}
			env.Setenv("HOME", home)
			// Under the race detector a process would wait a second before it ends.
			env.Setenv("GORACE", "atexit_sleep_ms=0")
			env.Setenv("CONFIG", filepath.Join(home, ".config", "omw"))
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"start":     start,
			"await":     await,
			"signal":    signalTo,
			"exits":     exits,
			"code":      code,
			"jsonlines": jsonLines,
			"lines":     lines,
			"mode":      mode,
			"browser":   browser,
			"started":   started,
			"closed":    closed,
			"halfbody":  halfBody,
			"redeem":    redeem,
			"wrong":     wrong,
			"stranger":  stranger,
			"learned":   learned,
			"serve":     serveTogether,
			"post":      post,
			"sent":      sent,
			"together":  together,
			"bash":      bash,
		},
	})
}

// scene is what runs beside one script. Its commands come one after the other.
type scene struct {
	t         interface{ Errorf(string, ...any) }
	processes map[string]*process
	browsers  map[string]*sim.Browser
	stranger  *snoop
}

type sceneKey struct{}

func sceneOf(ts *testscript.TestScript) *scene { return ts.Value(sceneKey{}).(*scene) }

// code N PROGRAM ARGS... runs a program, which must exit with N.
func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	ts.Logf("[stdout]\n%s[stderr]\n%s", ts.ReadFile("stdout"), ts.ReadFile("stderr"))
	if got != want {
		ts.Fatalf("exit code %d, and not %d", got, want)
	}
}

// jsonlines FILE [N]: the file has N lines, or some, and each is one JSON object.
func jsonLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: jsonlines file [N]")
	}
	n := 0
	s := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	s.Buffer(nil, 64<<20)
	for ; s.Scan(); n++ {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(s.Bytes(), &object); err != nil {
			ts.Fatalf("line %d of %s is no JSON object: %s", n+1, args[0], err)
		}
	}
	if len(args) > 1 && strconv.Itoa(n) != args[1] || n == 0 {
		ts.Fatalf("%s has %d lines", args[0], n)
	}
}

// lines FILE N: the file has N lines.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); strconv.Itoa(got) != args[1] {
		ts.Fatalf("%s has %d lines, and not %s", args[0], got, args[1])
	}
}

// mode MODE FILE: the file has these permissions.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Lstat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := strconv.FormatInt(int64(info.Mode().Perm()), 8); got != args[0] {
		ts.Fatalf("%s has mode %s, and not %s", args[1], got, args[0])
	}
}
