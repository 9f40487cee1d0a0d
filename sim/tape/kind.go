package tape

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Kind is what a word or an argument may hold.
type Kind struct {
	name string
	// choice lists the values of a kind that has few.
	choice []string
	// least and most bound a number.
	least, most int64
	// fresh is an id that the line brings in.
	fresh bool
}

// The kinds.
var (
	text     = Kind{name: "TEXT"}
	newID    = Kind{name: "ID", fresh: true}
	knownID  = Kind{name: "ID"}
	action   = Kind{name: "ACTION"}
	payload  = Kind{name: "FILE|JSON"}
	file     = Kind{name: "FILE"}
	object   = Kind{name: "JSON"}
	wait     = Kind{name: "TIME"}
	flag     = oneOf("true", "false")
	code     = Kind{name: "CODE"}
	browser  = Kind{name: "BROWSER"}
	list     = Kind{name: "NAME,…"}
	method   = Kind{name: "METHOD"}
	target   = Kind{name: "PATH"}
	seqno    = Kind{name: "N", least: 1, most: 1 << 53}
	status   = Kind{name: "STATUS", least: 100, most: 599}
	closeNo  = Kind{name: "CODE", least: 0, most: 65535}
	size     = Kind{name: "N", least: 0, most: MaxBytes}
	repeated = Kind{name: "N", least: 1, most: MaxTimes}
)

const (
	// MaxBytes is the largest payload that a tape may ask for, in bytes: twice
	// what the daemon buffers.
	MaxBytes = 128 << 20
	// MaxTimes is how often one line may be done.
	MaxTimes = 10_000
)

func oneOf(values ...string) Kind {
	return Kind{name: strings.Join(values, "|"), choice: values}
}

func (k Kind) placeholder(string) string { return k.name }

// is reports whether two kinds are the same.
func (k Kind) is(other Kind) bool {
	return k.name == other.name && k.most == other.most && k.fresh == other.fresh
}

// check says what is wrong with a value, by itself.
func (k Kind) check(v string) error {
	switch {
	case k.choice != nil:
		if !slices.Contains(k.choice, v) {
			return fmt.Errorf("is %s, not %q%s", orList(k.choice), v, nearest(v, k.choice))
		}
	case k.most > 0:
		return k.number(v)
	case k.is(newID):
		return checkID(v)
	case k.is(wait):
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 {
			return fmt.Errorf("is a time such as 7s, 1m30s or 29.999999999s, not %q", v)
		}
	case k.is(object):
		if !isObject(v) {
			return fmt.Errorf("is a JSON object, not %q", v)
		}
	case k.is(code):
		if c := protocol.Code(v); !c.Known() {
			var all []string
			for _, c := range protocol.Codes {
				all = append(all, string(c))
			}
			return fmt.Errorf("is an error code of %s, not %q%s", Protocol, v, nearest(v, all))
		}
	case k.is(browser):
		if RoleOf(v) != Browser {
			return fmt.Errorf("is a browser of the tape, not %q", v)
		}
	case k.is(action):
		if _, ok := protocol.LookupAction(v); !ok {
			return fmt.Errorf("is an action of %s, not %q%s; send it with a body of its own to see what the daemon says", Protocol, v, nearest(v, actionNames()))
		}
	case k.is(method), k.is(target):
		if v == "" || strings.ContainsAny(v, " \t\r\n") {
			return fmt.Errorf("has a blank in it, or is empty: %q", v)
		}
	}
	return nil
}

func (k Kind) number(v string) error {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < k.least || n > k.most || strings.HasPrefix(v, "+") {
		return fmt.Errorf("is a whole number from %d to %d, not %q", k.least, k.most, v)
	}
	return nil
}

// reserved are the words that an id would be taken for.
var reserved = []string{"nothing", "close", "pong", "ok", "all"}

func checkID(v string) error {
	if v == "" || len(v) > 64 || strings.Trim(v, idLetters) != "" || keyLength(v) > 0 {
		return fmt.Errorf("is letters, digits and -, at most 64, not %q", v)
	}
	if slices.Contains(reserved, v) {
		return fmt.Errorf("cannot be %q, which means something else here", v)
	}
	return nil
}

const idLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

func isObject(v string) bool {
	j := jsontext.Value(v)
	return j.IsValid() && j.Kind() == '{'
}

func actionNames() []string {
	var out []string
	for _, a := range protocol.Actions() {
		if !a.Internal {
			out = append(append(out, a.Name), a.Aliases...)
		}
	}
	return out
}

// orList joins words as a sentence does.
func orList(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Duration returns d as tapes write it: 2m rather than 2m0s.
func Duration(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}

var errNoWait = errors.New("a time line is + and how long, such as +7s; it must be more than nothing")

// parseWait reads what stands behind the + of a time line.
func parseWait(v string) (time.Duration, error) {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 || strings.HasPrefix(v, "+") {
		return 0, errNoWait
	}
	return d, nil
}
