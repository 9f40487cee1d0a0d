package tape_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/oh-my-webbridge/omw/sim/tape"
	"github.com/oh-my-webbridge/omw/sim/tape/examples"
)

// texts are values of every awkward kind.
func texts() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[a-z]+=[a-z"{ #]*`),
		rapid.SampledFrom([]string{"", " ", "#", "a b", `"`, `\`, "{", "}", `{"a":"}"}`, "[1,2]", "{}x", "+7s", "\r", "\u202e", "\xff", "-- f --", "a=b", "=", "ok"}),
	)
}

func comments() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return strings.TrimRight(rapid.StringMatching(`[ -~é]{0,20}`).Draw(t, "comment"), " ")
	})
}

// tapes are good tapes.
func tapes() *rapid.Generator[*tape.Tape] {
	return rapid.Custom(func(t *rapid.T) *tape.Tape {
		out := &tape.Tape{Name: "x", Seed: rapid.Uint64().Draw(t, "seed"), Head: rapid.SliceOf(comments()).Draw(t, "head")}
		if len(out.Head) == 0 {
			out.Head = nil
		}
		out.Lines = []tape.Line{{Actor: "agent", Verb: "do", Words: []string{"a", "click"}}}
		for range rapid.IntRange(0, 8).Draw(t, "lines") {
			out.Lines = append(out.Lines, line(t))
		}
		for i := range rapid.IntRange(0, 2).Draw(t, "files") {
			name := string(rune('f' + i))
			f := tape.NewFile(name, rapid.SliceOf(rapid.Byte()).Draw(t, "content"))
			out.Files = append(out.Files, f)
			out.Lines = append(out.Lines, tape.Line{Actor: "chrome", Verb: "frame", Words: []string{f.Name}})
		}
		return out
	})
}

func line(t *rapid.T) tape.Line {
	text := texts().Draw(t, "text")
	l := rapid.SampledFrom([]tape.Line{
		{},
		{Wait: time.Duration(rapid.Int64Range(1, 1<<50).Draw(t, "wait"))},
		{Actor: "chrome", Verb: "ping"},
		{Actor: "firefox12", Verb: "expect nothing", Args: []tape.Arg{{Key: "for", Value: "1s"}}},
		{Actor: "agent", Verb: "expect", Words: []string{"a"}, Args: []tape.Arg{{Key: "message", Value: text}, {Key: "at", Value: "7s"}}},
		{Actor: "chrome", Verb: "close", Words: []string{"4999"}, Args: []tape.Arg{{Key: "reason", Value: text}}},
		{Actor: "chrome", Verb: "hello", Args: []tape.Arg{{Key: "sessions", Value: text}}},
	}).Draw(t, "line")
	l.Comment = comments().Draw(t, "comment")
	return l
}

// unnumbered is a tape without the numbers of its lines.
func unnumbered(t *tape.Tape) *tape.Tape {
	out := *t
	out.Lines = append([]tape.Line(nil), t.Lines...)
	for i := range out.Lines {
		out.Lines[i].N = 0
	}
	return &out
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		made := tapes().Draw(t, "tape")
		require.NoError(t, made.Check(), "%s", made.Format())
		again, err := tape.Parse("x", made.Format())
		require.NoError(t, err, "%s", made.Format())
		require.Equal(t, made, unnumbered(again), "%s", made.Format())
	})
}

// FuzzParse requires that no text makes Parse panic, that each fault has a line
// of the file, told in one line, and that what Parse reads is the same after it
// was written, byte for byte the second time.
func FuzzParse(f *testing.F) {
	for _, name := range examples.Names() {
		t, _ := examples.Find(name)
		f.Add(t.Format())
	}
	for _, text := range []string{"", "use omw.v1", "use omw.v1\n\"", "use omw.v1\nchrome \"\" {", "-- x --", "use omw.v1\n+1s#", "use omw.v1\r\nchrome ping\r\n-- \r\n"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		parsed, err := tape.Parse("x", text)
		if err != nil {
			wrong, ok := errors.AsType[*tape.Error](err)
			require.True(t, ok, "%v", err)
			require.NotEmpty(t, wrong.Faults)
			for _, f := range wrong.Faults {
				require.GreaterOrEqual(t, f.Line, 1)
				require.LessOrEqual(t, f.Line, 1+bytes.Count(text, []byte("\n")), f.Problem)
				require.NotEmpty(t, f.Problem)
			}
			for i, line := range strings.Split(err.Error(), "\n") {
				require.True(t, strings.HasPrefix(line, fmt.Sprintf("x:%d: ", wrong.Faults[i].Line)), err.Error())
			}
			return
		}
		written := parsed.Format()
		again, err := tape.Parse("x", written)
		require.NoError(t, err, "%s", written)
		require.Equal(t, unnumbered(parsed), unnumbered(again))
		require.True(t, bytes.Equal(written, again.Format()))
		require.NoError(t, parsed.Check())
	})
}
