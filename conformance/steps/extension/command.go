package extension

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim"
)

// registerCommands adds the sentences by which the daemon sends commands:
//
//	the session "shop" has a tab                 by a navigate
//	the session "shop" has a tab A               … whose tab is that of A
//	the daemon sends an evaluate A of session "shop"
//	the daemon sends a wait A of session "shop" that takes 5s with 10s left
//	the daemon sends evaluates B1 to B32 of session "shop"
//	the daemon sends a click A on the tab of T with the args {"ref":"e1"}
//	the daemon sends a borrow A on the person's tab "https://a.example/"
//
// What a phrase leaves out is the session "shop", 20 s left and, for an
// evaluate, code whose value is its own.
func registerCommands(sc Sentences, x *ext) {
	sc.Given(`^the session (`+words.Quoted+`) has a tab(?: ([A-Z][0-9]*))?$`, x.hasTab)
	sc.When(`^the daemon sends (`+orderPhrase+`)$`, x.sends)
}

// orderPhrase is the expression of one command or a row of them.
var orderPhrase = `(?:an?|the) ?(?:` + strings.Join(linkActions(), "|") + `)(?: [A-Z][0-9]*)?` + orderClauses +
	`|(?:` + strings.Join(linkActions(), "|") + `)s [A-Z][0-9]+ to [A-Z][0-9]+` + orderClauses

const orderClauses = `(?: of session ` + words.Quoted + `)?(?: that takes? \S+)?(?: with \S+ left)?` +
	`(?: on the tab of [A-Z][0-9]*| on the person's tab ` + words.Quoted + `)?(?: with the args \{.*\})?`

// linkActions are the names of a command frame's actions.
func linkActions() []string { return append(words.Actions(), "artifact_read", "artifact_close") }

// command is a command that the daemon has sent.
type command struct {
	name, action, session string
	id                    string
	args                  jsontext.Value
	left                  time.Duration
	sent                  time.Time
	link                  *sim.Socket
	// value is the JSON text of its own value, for an evaluate.
	value string
}

func (o *command) String() string {
	if o.name == "" {
		return fmt.Sprintf("%s %s", o.action, o.id)
	}
	return fmt.Sprintf("%s %s (%s)", o.action, o.name, o.id)
}

// usualLeft is what a command has left that is about something else.
const usualLeft = 20 * time.Second

var (
	orderHead = regexp.MustCompile(`^(?:(?:an?|the) )?([a-z_]+)(?: ([A-Z][0-9]*)(?: to ([A-Z][0-9]+))?)?`)
	orderPart = regexp.MustCompile(`^ (?:of session (` + words.Quoted + `)|that takes? (\S+)|with (\S+) left|on the tab of ([A-Z][0-9]*)|` +
		`on the person's tab (` + words.Quoted + `)|with the args (\{.*\}))`)
)

func (x *ext) sends(ctx context.Context, text string) error {
	s, err := x.link()
	if err != nil {
		return err
	}
	o, names, err := x.order(ctx, text)
	if err != nil {
		return err
	}
	for _, name := range names {
		one := o
		one.name = name
		x.send(s, &one)
	}
	x.w.Clock.Settle()
	return nil
}

// order reads the description of a command, and its names: several of a row.
func (x *ext) order(ctx context.Context, text string) (command, []string, error) {
	head := orderHead.FindStringSubmatch(text)
	if head == nil {
		return command{}, nil, fmt.Errorf("%q describes no command", text)
	}
	o := command{action: head[1], name: head[2], session: "shop", left: usualLeft}
	if err := x.readClauses(ctx, &o, text[len(head[0]):]); err != nil {
		return o, nil, err
	}
	if head[3] == "" {
		return o, []string{o.name}, nil
	}
	o.action = strings.TrimSuffix(o.action, "s")
	names, err := namesFrom(head[2], head[3])
	return o, names, err
}

// readClauses reads what stands behind the action's name.
func (x *ext) readClauses(ctx context.Context, o *command, rest string) error {
	var tab int64
	for rest != "" {
		m := orderPart.FindStringSubmatch(rest)
		if m == nil {
			return fmt.Errorf("of a command nobody knows what %q means", rest)
		}
		var err error
		switch {
		case m[1] != "":
			o.session, err = words.Session(m[1])
		case m[2] != "":
			var d time.Duration
			d, err = words.Duration(m[2])
			o.args = fmt.Appendf(nil, `{"ms":%d}`, d.Milliseconds())
		case m[3] != "":
			o.left, err = words.Duration(m[3])
		case m[4] != "":
			tab, err = x.tabOf(ctx, m[4])
		case m[5] != "":
			tab, err = x.personTab(ctx, m[5])
		case m[6] != "":
			o.args = jsontext.Value(m[6])
		}
		if err != nil {
			return err
		}
		rest = rest[len(m[0]):]
	}
	if tab != 0 {
		o.args = protocol.ReplaceArg(x.argsOf(o), "tab", strconv.AppendInt(nil, tab, 10))
	}
	return nil
}

// argsOf returns the command's arguments; those of an evaluate that has none
// are its own value.
func (x *ext) argsOf(o *command) jsontext.Value {
	switch {
	case len(o.args) > 0:
		return o.args
	case o.action == "evaluate":
		o.value = strconv.Itoa(1000 + len(x.orders))
		return jsontext.Value(`{"code":"` + o.value + `"}`)
	case o.action == "dialog":
		return jsontext.Value(`{"accept":true}`)
	}
	return jsontext.Value(`{}`)
}

// namesFrom returns the names from B1 to B32.
func namesFrom(from, to string) ([]string, error) {
	first, err := strconv.Atoi(from[1:])
	if err != nil {
		return nil, fmt.Errorf("%q begins no row of names", from)
	}
	last, err := strconv.Atoi(to[1:])
	if err != nil || from[0] != to[0] || last < first {
		return nil, fmt.Errorf("%s to %s is no row of names", from, to)
	}
	var names []string
	for n := first; n <= last; n++ {
		names = append(names, from[:1]+strconv.Itoa(n))
	}
	return names, nil
}

// send sends a command frame on a connection.
func (x *ext) send(s *sim.Socket, o *command) {
	if len(o.args) == 0 {
		o.args = x.argsOf(o)
	}
	o.id, o.link, o.sent = "c"+strconv.Itoa(len(x.orders)+1), s, x.w.Clock.Now()
	x.orders = append(x.orders, o)
	if o.name != "" {
		x.named[o.name] = o
	}
	f := protocol.CommandFrame{ID: o.id, Session: o.session, Action: o.action, Args: o.args, DeadlineMS: o.left.Milliseconds()}
	s.Send(f.AppendTo(nil))
}

// ask sends a command of the scene's own and returns its result.
func (x *ext) ask(ctx context.Context, o command) (*command, *protocol.Result, error) {
	s, err := x.link()
	if err != nil {
		return nil, nil, err
	}
	o.left = max(o.left, usualLeft)
	x.send(s, &o)
	r, err := x.result(ctx, &o)
	return &o, r, err
}

func (x *ext) hasTab(ctx context.Context, session, name string) error {
	session, err := words.Session(session)
	if err != nil {
		return err
	}
	o, r, err := x.ask(ctx, command{action: "navigate", name: name, session: session, args: jsontext.Value(`{"url":"about:blank","new_tab":true}`)})
	switch {
	case err != nil:
		return err
	case !r.OK:
		return fmt.Errorf("%s was answered %s", o, outcome(r))
	}
	return nil
}
