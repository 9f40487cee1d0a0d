package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// errorLine is an error of the wire on one line: its code, what is wrong, and
// what to do. The words in advice name the same session.
func errorLine(e *protocol.Error, session string) string {
	line := "error " + string(e.Code) + ": " + strings.Join(strings.Fields(e.Message), " ")
	if todo := advice(e.Code); todo != "" {
		line += "; " + strings.ReplaceAll(todo, "%", session)
	}
	return line
}

// advice says in the words of this command line what to do after an error; %
// stands for the flag that names the session. It is empty where the message says
// it all.
func advice(c protocol.Code) string {
	switch c {
	case protocol.OutcomeUnknown:
		return "do not repeat it; look at the page first: omw snapshot%"
	case protocol.StaleRef:
		return "run omw snapshot%"
	case protocol.NoTab:
		return "run omw open URL%"
	case protocol.DialogOpen:
		return "run omw dialog accept%, or omw dialog dismiss%"
	case protocol.TabGone, protocol.TabTaken:
		return "omw tabs% lists the tabs"
	case protocol.SessionBound:
		return "leave --browser out, or end the session: omw close%"
	case protocol.Busy:
		return "nothing was sent; try again in a moment"
	}
	return ""
}

// again is the flag by which another command addresses the same session: "" for
// the one that it has anyway.
func (a *asked) again() string {
	if a.flags == nil || !a.flags.Changed("session") {
		return ""
	}
	return " -s " + quoteWord(a.session)
}

// quoteWord quotes a word for a shell where it needs it.
func quoteWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:@-") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// usageText is what is wrong with a command line, with the flag that was meant or
// how to write a word that was taken for one. A flag's value is not repeated: it
// may be what was to be typed.
func usageText(cmd *cobra.Command, err error) string {
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		return fmt.Sprintf("--%s %s", bad.GetFlag().Name, errors.Unwrap(bad))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return err.Error()
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return "there is no such flag of one letter; text that begins with - stands behind --"
	}
	var names []string
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.InheritedFlags()} {
		set.VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	}
	name := "--" + unknown.GetSpecifiedName()
	return fmt.Sprintf("there is no flag %s%s", name, didYouMean(name, names))
}
