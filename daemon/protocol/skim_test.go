package protocol

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// pieces are what rapid joins into JSON and near-JSON.
var pieces = []string{
	"{", "}", "[", "]", ":", ",", " ", "\n", `"`, `\`, `\"`, `\\`, `"a"`, `"a\"b"`, `"\\"`, `"\\\""`, `"\u0061"`, `"\ud800"`,
	"1", "-0.5e3", "true", "null", "x", `{"a":1}`, `"a":`, `"b" : `, `[{"c":"}"}]`, "\x00", "ü",
}

// TestSkimReadsWhatWalkReads: of good JSON they make the same members; of
// anything else skim makes something, and comes back.
func TestSkimReadsWhatWalkReads(t *testing.T) {
	good := 0
	rapid.Check(t, func(rt *rapid.T) {
		var b []byte
		if rapid.Bool().Draw(rt, "shaped") {
			var members []string
			for range rapid.IntRange(0, 4).Draw(rt, "members") {
				members = append(members, rapid.SampledFrom([]string{`"a"`, `"b" `, ` "\u0063"`, `"\\\""`}).Draw(rt, "name")+":"+
					rapid.SampledFrom([]string{"1", ` "x\\" `, `"\"}"`, `[ "]" ,{"a":[]}]`, "{}", "\tfalse\r\n", `""`, "-1e5"}).Draw(rt, "value"))
			}
			b = []byte(" {" + strings.Join(members, ",") + "} ")
		} else {
			b = []byte("{" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 12).Draw(rt, "pieces"), ""))
		}
		type member struct{ name, value string }
		var want, got []member
		err := fromPage.walk(b, func(name []byte, v jsontext.Value) error {
			want = append(want, member{string(name), string(v)})
			return nil
		})
		whole := skim(b, func(name []byte, at span) {
			got = append(got, member{string(name), string(b[at.value:at.end])})
			if raw := b[at.name]; raw != '"' {
				rt.Fatalf("a name begins with %q in %q", raw, b)
			}
		})
		if err != nil {
			return
		}
		good++
		if !whole || len(want) != len(got) {
			rt.Fatalf("walk reads %q, skim %q of %q", want, got, b)
		}
		for i := range want {
			if want[i] != got[i] {
				rt.Fatalf("walk reads %q, skim %q of %q", want, got, b)
			}
		}
	})
	require.Positive(t, good)
}

func TestSkimSaysWhatIsNoObject(t *testing.T) {
	for _, bad := range []string{
		``, ` `, `x`, `[]`, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1}x`, `{} {}`, `{"a" 1}`, `{a:1}`, `{"a":}`,
		`{"a":"x}`, `{"a":[1}`, `{"a":"\"}`, `{"a":1 "b":2}`,
	} {
		require.False(t, skim([]byte(bad), func([]byte, span) {}), bad)
	}
}
