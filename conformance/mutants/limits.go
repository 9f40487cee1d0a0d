package mutants

import (
	"fmt"
	"reflect"
	"time"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// Limit is a limit of the daemon that is off.
type Limit struct {
	// Field is its field of protocol.Limits.
	Field string
	// By is how much it is off; of a duration in nanoseconds.
	By int64
}

// limits returns the mutants of every limit: one step less and one step more.
func limits() []Mutant {
	var all []Mutant
	t := reflect.TypeFor[protocol.Limits]()
	for i := range t.NumField() {
		f := t.Field(i)
		for _, by := range []int64{-step(f), step(f)} {
			m := Mutant{
				Name: fmt.Sprintf("%s-%s%s", f.Tag.Get("rule"), f.Name, amount(f, by)), Rule: f.Tag.Get("rule"),
				Breaks: fmt.Sprintf("The limit %s is off by %s.", f.Name, amount(f, by)),
				Role:   ledger.Daemon, Lane: ledger.Virtual, Limit: &Limit{f.Name, by}, Collateral: shared[f.Name],
			}
			if _, same := equivalent[m.Name]; !same {
				all = append(all, m)
			}
		}
	}
	return all
}

// shared names the rules that lean on a limit of another one, and why.
var shared = map[string]map[string]string{
	"Body": {"CMD-13": "a request on the link has the same limit"},
	"Commands": {
		"LIMIT-01": "as many requests as there are slots are commands of both browsers",
		"LIMIT-03": "the reserve is used beside as many ordinary commands as there may be",
	},
}

// equivalent lists the limits' mutants that nobody can tell from the daemon, and why.
var equivalent = map[string]string{
	"FILE-02-FileName+1": "a name of 256 bytes is refused by the file system as well, with the same code",
}

var isDuration = reflect.TypeFor[time.Duration]()

func step(f reflect.StructField) int64 {
	text := f.Tag.Get("step")
	switch {
	case text == "" && f.Type == isDuration:
		return 2 // a scenario sees what happens a nanosecond before and after
	case text == "":
		return 1
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		panic(fmt.Sprintf("mutants: the step of %s: %v", f.Name, err))
	}
	return int64(d)
}

func amount(f reflect.StructField, by int64) string {
	if f.Type == isDuration {
		text := time.Duration(by).String()
		if by > 0 {
			text = "+" + text
		}
		return text
	}
	return fmt.Sprintf("%+d", by)
}

// Apply returns the daemon's limits with this one off.
func (l Limit) Apply() protocol.Limits {
	limits := protocol.DefaultLimits()
	f := reflect.ValueOf(&limits).Elem().FieldByName(l.Field)
	f.SetInt(f.Int() + l.By)
	return limits
}
