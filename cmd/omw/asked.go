package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// sessionVariable names the session of the verbs that are given none.
const sessionVariable = "OMW_SESSION"

// asked is what every command for a browser has beside its action and arguments.
type asked struct {
	session, browser string
	timeout          patient
	flags            *pflag.FlagSet
}

// patient is a time on the command line: 5s, or a number of milliseconds, as
// timeout_ms is on the wire.
type patient time.Duration

// Set implements pflag.Value.
func (t *patient) Set(s string) error {
	if ms, err := strconv.ParseInt(s, 10, 32); err == nil {
		*t = patient(time.Duration(ms) * time.Millisecond)
		return nil
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("must be a time, as 5s, or a number of milliseconds, not %q", s)
	}
	*t = patient(d)
	return nil
}

func (t *patient) String() string { return time.Duration(*t).String() }

// Type implements pflag.Value.
func (t *patient) Type() string { return "time" }

func (a *asked) init() {
	l := protocol.DefaultLimits()
	a.timeout = patient(l.DefaultTimeout)
	a.flags = pflag.NewFlagSet("asked", pflag.ContinueOnError)
	a.flags.StringVarP(&a.session, "session", "s", "", "the session's `name` (default: $"+sessionVariable+", else "+protocol.DefaultSession+")")
	a.flags.StringVar(&a.browser, "browser", "", "chrome or firefox, by `name` (default: the session's, else the one that is connected)")
	a.flags.Var(&a.timeout, "timeout", fmt.Sprintf("the `time` that the command has, at most %s; a number is milliseconds", l.MaxTimeout))
}

// name returns the session's name and what named it.
func (a *asked) name() (name, by string) {
	if a.flags.Changed("session") {
		return a.session, "--session"
	}
	if name := os.Getenv(sessionVariable); name != "" {
		return name, "$" + sessionVariable
	}
	return protocol.DefaultSession, "the default session"
}

// command makes the command that is asked for. Its errors are of usage.
func (a *asked) command(verb string, action *protocol.Action, all []given) (client.Command, error) {
	values, err := encodeArgs(action, all)
	if err != nil {
		return client.Command{}, err
	}
	if err := action.CheckArgs(values); err != nil {
		return client.Command{}, usagef("%s: %s", verb, inWords(err))
	}
	l := protocol.DefaultLimits()
	session, by := a.name()
	if err := protocol.CheckSession(session, l); err != nil {
		return client.Command{}, usagef("%s %s", by, err)
	}
	if a.browser != "" && a.browser != string(protocol.Chrome) && a.browser != string(protocol.Firefox) || a.browser == "" && a.flags.Changed("browser") {
		return client.Command{}, usagef("--browser is chrome or firefox, not %q", a.browser)
	}
	timeout := time.Duration(a.timeout)
	if timeout < time.Millisecond || timeout > l.MaxTimeout {
		return client.Command{}, usagef("--timeout is from 1ms to %s, the longest one, not %s", l.MaxTimeout, timeout)
	}
	return client.Command{
		Action: action.Name, Args: json.RawMessage(values),
		Session: session, Browser: protocol.Browser(a.browser), Timeout: timeout,
	}, nil
}

// inWords is what is wrong with the arguments, without the name that they have on
// the wire.
func inWords(err error) string {
	if rest, ok := strings.CutPrefix(err.Error(), "args."); ok {
		return rest
	}
	if rest, ok := strings.CutPrefix(err.Error(), "args "); ok {
		return "it " + rest
	}
	return err.Error()
}
