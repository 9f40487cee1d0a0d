package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// replies reads what comes of actions: a line an action, with its data, or with a
// code and a message. A snapshot of a session that has no line is the browser's own.
func replies(ts *testscript.TestScript, file string) sim.Respond {
	of := map[string]sim.Reply{}
	for line := range strings.Lines(ts.ReadFile(file)) {
		action, what, _ := strings.Cut(strings.TrimSpace(line), " ")
		if code, message, ok := strings.Cut(what, " "); ok && protocol.Code(code).Known() {
			of[action] = sim.Fail(protocol.Code(code), message)
			continue
		}
		if !json.Valid([]byte(what)) {
			ts.Fatalf("%s: %q is neither data nor an error", file, what)
		}
		of[action] = sim.Data(what)
	}
	return func(_ context.Context, s sim.Start) sim.Reply {
		if cmd, ok := protocol.StringArg(s.Args, "cmd"); ok {
			if r, ok := of[s.Action+"/"+cmd]; ok {
				return r
			}
		}
		return of[s.Action]
	}
}

// sent chrome|firefox SESSION ACTION ARGS: the newest command that the browser
// started is this one, with these arguments, byte for byte.
func sent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 4 {
		ts.Fatalf("usage: sent browser session action args")
	}
	all := sceneOf(ts).browsers[args[0]].Starts()
	if len(all) == 0 {
		ts.Fatalf("nothing was started")
	}
	s := all[len(all)-1]
	if s.Session != args[1] || s.Action != args[2] || string(s.Args) != args[3] {
		ts.Fatalf("started was %s in %s with %s", s.Action, s.Session, s.Args)
	}
}

// together N PROGRAM ARGS... runs a program N times at once; each must succeed.
// What all of them printed is in stdouts.
func together(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	program, err := exec.LookPath(args[1])
	ts.Check(err)
	type result struct {
		out []byte
		err error
	}
	ended := make(chan result, n)
	for range n {
		cmd := exec.Command(program, args[2:]...)
		cmd.Dir, cmd.Env = ts.MkAbs("."), environ(ts)
		go func() {
			out, err := cmd.CombinedOutput()
			ended <- result{out, err}
		}()
	}
	var outs []byte
	for range n {
		r := <-ended
		outs = append(outs, r.out...)
		if r.err != nil {
			defer ts.Fatalf("%s: %s", r.err, r.out)
		}
	}
	writeTo(ts, "stdouts", outs)
}

func writeTo(ts *testscript.TestScript, name string, content []byte) {
	ts.Check(os.WriteFile(ts.MkAbs(name), content, 0o600))
}

// bash SCRIPT WORD... completes a command line as bash does, with the completion
// script: the words are the line, and the last of them is under the cursor. What
// it offers is in stdout, a line an offer.
func bash(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: bash script word...")
	}
	const complete = `source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMP_TYPE=9
how=$(complete -p omw) || exit 3
function=${how#*-F }
${function%% *} omw "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\n' "${COMPREPLY[@]}"`
	line := append([]string{"--norc", "--noprofile", "-c", complete, "bash"}, args...)
	ts.Check(ts.Exec("bash", line...))
	ts.Logf("[offered]\n%s[stderr]\n%s", ts.ReadFile("stdout"), ts.ReadFile("stderr"))
}
