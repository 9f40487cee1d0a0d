package record

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
	"github.com/oh-my-webbridge/omw/sim/record/relay"
	"github.com/oh-my-webbridge/omw/sim/tape"
)

// message writes what an extension or the daemon said on a link.
func (c *composer) message(at time.Time, l *link, e *relay.Message) {
	if e.Opcode != relay.Text {
		if e.Opcode == relay.Binary {
			c.remark(at, "a binary message of %d bytes, from the %s", e.Size, e.From)
		}
		return
	}
	f := c.frames[e]
	switch {
	case e.From == relay.Server:
		c.heard(at, l, f)
	case e.Size > protocol.DefaultLimits().Message:
		c.oversize(at, l, e)
	case f.err != nil:
		c.malformed(at, l, e)
	default:
		c.said(at, l, e, f)
	}
}

// heard is a frame of the daemon's.
func (c *composer) heard(at time.Time, l *link, f *frame) {
	if f.err != nil || f.internal {
		return
	}
	switch d := f.decoded.(type) {
	case *protocol.CommandFrame:
		c.command(at, f.command)
	case *protocol.Result:
		if f.ask == nil || f.ask.id == "" {
			return
		}
		words := []string{f.ask.id}
		if d.OK {
			c.add(at, l.actor, "expect", append(words, "ok"))
		} else if d.Bad == nil {
			c.add(at, l.actor, "expect", words, failure(d.Error))
		}
	}
}

// command is a command that reaches a browser.
func (c *composer) command(at time.Time, cmd *command) {
	actor := cmd.link.actor
	if cmd.id == "" {
		c.remark(at, "%s got a command of somebody who was not recorded: %s", actor, cmd.frame.Action)
		return
	}
	if cmd.asked {
		return // what an extension asked is named where its result comes
	}
	args := []tape.Arg{{Key: "action", Value: cmd.frame.Action}}
	if cmd.frame.Session != protocol.DefaultSession {
		args = append(args, c.text("session", cmd.frame.Session))
	}
	c.add(at, actor, "expect", []string{cmd.id}, args...)
	if c.refusedBefore(cmd) {
		// The simulated browser starts what it is not told to refuse before it comes.
		s := c.sent[cmd.id]
		s.before = append(s.before, tape.Line{Actor: actor, Verb: "busy"})
	}
	if cmd.silent(c.end, unsupported(cmd.link)) {
		c.add(at, actor, "mute", []string{cmd.id})
	}
}

// unsupported are the actions that the simulated browser refuses by itself.
func unsupported(l *link) map[string]string {
	p, _ := sim.ProfileOf(l.browser)
	return p.Unsupported
}

// byItself reports whether the simulated browser answers a command so without a
// line that says it.
func (c *composer) byItself(cmd *command) bool { return cmd.byItself(unsupported(cmd.link)) }

// said is a frame of an extension's.
func (c *composer) said(at time.Time, l *link, e *relay.Message, f *frame) {
	switch d := f.decoded.(type) {
	case *protocol.Hello:
		c.hello(at, l, e, d)
	case *protocol.Result:
		if !f.internal {
			c.result(at, l, d, f)
		}
	case *protocol.Request:
		c.ask(at, l, e, f.ask)
	case protocol.Ping:
		// The simulated browser sends its own.
	default:
		c.add(at, l.actor, "frame", []string{c.payload(l.actor+"-frame", c.secrets.JSON(e.Data))})
	}
}

func (c *composer) hello(at time.Time, l *link, e *relay.Message, d *protocol.Hello) {
	plain := !slices.ContainsFunc(d.Sessions, func(s string) bool { return s == "" || strings.ContainsAny(s, ",") })
	if !plain || !l.welcomed && l.closing == nil && !l.ended.IsZero() {
		c.add(at, l.actor, "frame", []string{c.payload(l.actor+"-hello", c.secrets.JSON(e.Data))})
		return
	}
	args := []tape.Arg{
		c.text("version", d.BrowserVersion),
		c.text("sessions", strings.Join(d.Sessions, ",")),
		{Key: "file-access", Value: strconv.FormatBool(d.FileAccess)},
	}
	if d.ExtensionVersion != "" {
		args = slices.Insert(args, 1, c.text("extension", d.ExtensionVersion))
	}
	if d.Browser != l.browser {
		args = append(args, c.text("browser", string(d.Browser)))
	}
	if !l.welcomed && l.closing != nil && l.closing.From == relay.Server {
		args = append(args, number("closed", int64(l.closing.Code)))
	}
	if s := c.joined[l]; s != nil && s == c.steps[len(c.steps)-1] && c.rounded(s.at, at) {
		s.line.Verb, s.line.Args = "join", args
		return
	}
	c.add(at, l.actor, "hello", nil, args...)
}

// result is a browser's answer to a command.
func (c *composer) result(at time.Time, l *link, d *protocol.Result, f *frame) {
	cmd := f.command
	switch {
	case cmd == nil:
		c.remark(at, "%s answered a command that is not in the recording", l.actor)
		return
	case cmd.id == "":
		c.letGo(at, cmd)
		return
	}
	defer c.letGo(at, cmd)
	switch {
	case d.Bad != nil:
		c.remark(at, "%s answered %s with a result that breaks its schema (%s), which a tape cannot say", l.actor, cmd.id, d.Bad)
		return
	case !f.again && (c.byItself(cmd) || c.refusedBefore(cmd)):
		return
	case cmd.asked:
		c.add(at, cmd.link.actor, "release", []string{cmd.id})
		return
	}
	args := c.outcome(cmd, d)
	answer := fmt.Sprint(args)
	switch {
	case cmd.link.actor != l.actor:
		c.add(at, cmd.link.actor, "wrong-connection", []string{cmd.id}, append(args, tape.Arg{Key: "on", Value: l.actor})...)
	case f.again && c.last[cmd] == answer:
		c.add(at, l.actor, "replay", []string{cmd.id})
	default:
		c.add(at, l.actor, "reply", []string{cmd.id}, args...)
	}
	c.last[cmd] = answer
}

// refusedBefore reports whether a line before the command lets it be refused.
func (c *composer) refusedBefore(cmd *command) bool {
	r := cmd.result
	return r != nil && r.Bad == nil && !r.OK && r.Error.Code == protocol.Busy && c.sent[cmd.id] != nil && !c.byItself(cmd)
}

// outcome is what a result says.
func (c *composer) outcome(cmd *command, d *protocol.Result) []tape.Arg {
	if !d.OK {
		args := []tape.Arg{failure(d.Error)}
		if d.Error.Message != "" {
			args = append(args, c.text("message", d.Error.Message))
		}
		return args
	}
	word := c.payload(cmd.id+"-data", c.data(cmd, d))
	if word[0] == '{' {
		return []tape.Arg{{Key: "data", Value: word}}
	}
	return []tape.Arg{{Key: "file", Value: word}}
}

// data returns the data of a result without secrets, whole where they travelled
// as an artifact.
func (c *composer) data(cmd *command, d *protocol.Result) []byte {
	action := cmd.frame.Action
	if whole, ok := c.whole(cmd, d); ok {
		return c.secrets.Data(action, whole)
	}
	a, ok := protocol.ArtifactOf(d.Data)
	if !ok || !pictures[action] {
		return c.secrets.Data(action, d.Data)
	}
	// A picture of as many bytes, in the result itself: the simulated browser
	// makes an artifact of it where the real one did.
	rest := protocol.WithoutArg(protocol.WithoutArg(d.Data, "artifact"), "bytes")
	filler := strings.Repeat("xxxx", int((min(a.Bytes, mostFiller)+2)/3))
	return c.secrets.Data(action, protocol.ReplaceArg(rest, "base64", jsontext.Value(`"`+filler+`"`)))
}

// mostFiller is the largest picture that is written with its size, in bytes;
// twice what travels without an artifact.
const mostFiller = 8 << 20

// ask is a command of the extension's own.
func (c *composer) ask(at time.Time, l *link, e *relay.Message, a *ask) {
	if a == nil {
		c.add(at, l.actor, "frame", []string{c.payload(l.actor+"-request", c.secrets.Command(e.Data))})
		return
	}
	line := tape.Line{Actor: l.actor, Verb: "ask", Words: []string{a.id, a.command.Action.Name}}
	if !c.spread(&line, c.secrets.Args(a.command.Action.Name, a.command.Args)) {
		c.remark(at, "%s asked for %s with arguments that a line cannot hold", l.actor, a.command.Action.Name)
		a.id = ""
		return
	}
	if a.command.Session != protocol.DefaultSession {
		line.Args = append(line.Args, c.text("session", a.command.Session))
	}
	if a.command.Timeout != protocol.DefaultLimits().DefaultTimeout {
		line.Args = append(line.Args, tape.Arg{Key: "timeout", Value: tape.Duration(a.command.Timeout)})
	}
	s := &step{at: at, line: line}
	c.steps = append(c.steps, s)
	c.sent[a.id] = s
}

// oversize is a message that the daemon does not take.
func (c *composer) oversize(at time.Time, l *link, e *relay.Message) {
	for id, cmd := range c.byID {
		if cmd.id != "" && cmd.link == l && bytes.Contains(e.Data[:min(len(e.Data), 4096)], []byte(id)) {
			c.add(at, l.actor, "oversize", []string{cmd.id}, number("bytes", min(e.Size, tape.MaxBytes)))
			return
		}
	}
	c.add(at, l.actor, "garbage", nil, number("bytes", min(e.Size, tape.MaxBytes)))
}

// malformed is a text message that is no frame.
func (c *composer) malformed(at time.Time, l *link, e *relay.Message) {
	content := c.secrets.JSON(e.Data)
	if jsontext.Value(content).IsValid() {
		c.add(at, l.actor, "frame", []string{c.payload(l.actor+"-frame", content)})
		return
	}
	if len(content) == 0 {
		c.add(at, l.actor, "garbage", nil, number("bytes", 0))
		return
	}
	c.add(at, l.actor, "garbage", []string{c.file(l.actor+"-garbage", content)})
}

func (c *composer) close(at time.Time, l *link, e *relay.Close) {
	if l.closing != e {
		return // the answer to the other side's
	}
	if e.From == relay.Client {
		args := []tape.Arg{}
		if e.Reason != "" {
			args = append(args, c.text("reason", e.Reason))
		}
		c.add(at, l.actor, "close", []string{strconv.Itoa(e.Code)}, args...)
		return
	}
	if l.greeted && !l.welcomed {
		return // hello says so
	}
	if e.Code == leaving {
		c.down(at, "stop")
	}
	c.add(at, l.actor, "expect close", []string{strconv.Itoa(e.Code)})
}

// ended is the end of a link's connection.
func (c *composer) ended(at time.Time, l *link, e *relay.End) {
	switch {
	case l.closing != nil:
	case e.From == relay.Client:
		if e.Why != "" {
			c.remark(at, "%s: %s", l.actor, e.Why)
		}
		c.add(at, l.actor, "drop", []string{string(e.How)})
	default:
		if c.deaths[e] {
			c.down(at, "kill")
		}
		c.add(at, l.actor, "expect close", nil)
	}
}
