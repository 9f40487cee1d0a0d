package evidence

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

var (
	opens  = regexp.MustCompile(`^(?:chrome|moz)-extension://`)
	closes = regexp.MustCompile(`^(0|[1-4][0-9]{3})(?: (.*))?$`)
)

// answers are the daemon's ids that browsers answered.
func answers(lines []world.Line) map[string]bool {
	out := map[string]bool{}
	for _, l := range lines {
		if f, err := protocol.DecodeFrame([]byte(l.Text)); err == nil && l.Dir == ">" {
			if r, ok := f.(*protocol.Result); ok {
				out[r.ID] = true
			}
		}
	}
	return out
}

// said tells what a browser sent.
func (b *teller) said(l world.Line) {
	own := func(verb string, words ...string) { b.add(l.At, tape.Line{Actor: l.Actor, Verb: verb, Words: words}) }
	switch {
	case cut(l.Text):
		b.comment(l.Actor + " sent, and a tape cannot: " + l.Text)
		return
	case opens.MatchString(l.Text):
		b.open[l.Actor] = true
		own("connect")
		return
	case closes.MatchString(l.Text):
		m := closes.FindStringSubmatch(l.Text)
		line := tape.Line{Actor: l.Actor, Verb: "close", Words: []string{m[1]}}
		if m[2] != "" {
			line.Args = []tape.Arg{{Key: "reason", Value: m[2]}}
		}
		b.add(l.At, line)
		return
	}
	frame, err := protocol.DecodeFrame([]byte(l.Text))
	if err != nil {
		b.frame(l)
		return
	}
	switch f := frame.(type) {
	case protocol.Ping:
		// The browser of the tape pings at the same times.
	case *protocol.Hello:
		b.add(l.At, hello(l.Actor, f))
	case *protocol.Result:
		b.result(l, f)
	default:
		b.frame(l)
	}
}

// hello tells what is not as the profile has it.
func hello(actor string, f *protocol.Hello) tape.Line {
	line := tape.Line{Actor: actor, Verb: "hello", Args: []tape.Arg{{Key: "sessions", Value: strings.Join(f.Sessions, ",")}}}
	profile, _ := sim.ProfileOf(protocol.Browser(strings.TrimRight(actor, "0123456789")))
	for _, v := range []struct{ key, value, usual string }{
		{"browser", string(f.Browser), string(profile.Browser)},
		{"version", f.BrowserVersion, profile.BrowserVersion},
		{"extension", f.ExtensionVersion, profile.ExtensionVersion},
		{"file-access", fmt.Sprint(f.FileAccess), fmt.Sprint(profile.FileAccess)},
	} {
		if v.value != v.usual {
			line.Args = append(line.Args, tape.Arg{Key: v.key, Value: v.value})
		}
	}
	return line
}

// frame tells a message as it is.
func (b *teller) frame(l world.Line) {
	b.numbered++
	f := tape.NewFile(fmt.Sprintf("frame-%d", b.numbered), []byte(l.Text))
	b.t.Files = append(b.t.Files, f)
	b.add(l.At, tape.Line{Actor: l.Actor, Verb: "frame", Words: []string{f.Name}})
}

// automatic are the beginnings of what the simulated extension says by itself.
var automatic = []string{"the extension's own deadline", "too many commands of this session", "Firefox cannot do ", "the session was closed "}

// result tells an answer of the browser.
func (b *teller) result(l world.Line, f *protocol.Result) {
	id, ok := b.links[f.ID]
	if !ok {
		b.frame(l)
		return
	}
	line := tape.Line{Actor: l.Actor, Verb: "reply", Words: []string{id}}
	switch {
	case f.Error != nil:
		for _, start := range automatic {
			if strings.HasPrefix(f.Error.Message, start) {
				return
			}
		}
		line.Args = []tape.Arg{{Key: "error", Value: string(f.Error.Code)}, {Key: "message", Value: f.Error.Message}}
	case len(f.Data) == 0:
		line.Words = append(line.Words, "ok")
	default:
		line.Args = []tape.Arg{{Key: "data", Value: string(f.Data)}}
	}
	b.add(l.At, line)
}

// heard tells what reached a browser. A command must reach it in the tape too.
func (b *teller) heard(l world.Line) {
	frame, err := protocol.DecodeFrame([]byte(l.Text))
	if err != nil {
		b.comment(l.Actor + " was told " + l.Text)
		return
	}
	f, ok := frame.(*protocol.CommandFrame)
	if !ok {
		return
	}
	id := b.sender(f)
	if id == "" {
		b.comment(l.Actor + " was given a command that no request of the tape asks for: " + l.Text)
		return
	}
	b.links[f.ID] = id
	b.add(l.At, tape.Line{Actor: l.Actor, Verb: "expect", Words: []string{id}, Args: []tape.Arg{{Key: "action", Value: f.Action}}})
	if !b.answered[f.ID] {
		b.add(l.At, tape.Line{Actor: l.Actor, Verb: "mute", Words: []string{id}})
	}
}

// sender returns the first request that a command can belong to and that none
// has belonged to, by its session, action and arguments.
func (b *teller) sender(f *protocol.CommandFrame) string {
	taken := map[string]bool{}
	for _, id := range b.links {
		taken[id] = true
	}
	first := ""
	for _, id := range b.sent {
		c, err := protocol.DecodeCommand([]byte(b.requests[id]), protocol.DefaultLimits())
		if err != nil || taken[id] || c.Session != f.Session || c.Action.Name != f.Action {
			continue
		}
		if string(c.Args) == string(f.Args) {
			return id
		}
		if first == "" {
			first = id
		}
	}
	return first
}
