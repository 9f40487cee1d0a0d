package protocol_test

import (
	"fmt"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// everyAction returns all actions, the internal ones too.
func everyAction(t testing.TB) []*protocol.Action {
	all := protocol.Actions()
	for _, name := range []string{"artifact_read", "artifact_close"} {
		a, ok := protocol.LookupAction(name)
		require.True(t, ok, name)
		all = append(all, a)
	}
	return all
}

// TestCheckersAgreeWithJSONSchema compares each of our checkers with another
// implementation of JSON Schema, on values that are good, nearly good or wild.
func TestCheckersAgreeWithJSONSchema(t *testing.T) {
	o := newOracle(t)
	for _, a := range everyAction(t) {
		file := "action/" + a.Name + ".json"
		defs := o.docs[file].(map[string]any)["$defs"].(map[string]any)
		for def, check := range map[string]func(jsontext.Value) error{
			"args": a.CheckArgs, "linkArgs": a.CheckLinkArgs, "data": a.CheckAnswer, "linkData": a.CheckData,
		} {
			doc, ok := defs[def].(map[string]any)
			if !ok {
				continue
			}
			t.Run(a.Name+"/"+def, func(t *testing.T) {
				s := o.schema(t, file+"#/$defs/"+def)
				good, bad := 0, 0
				rapid.Check(t, func(rt *rapid.T) {
					g := &generator{t: rt, oracle: o, wild: rapid.SampledFrom([]int{0, 3, 20}).Draw(rt, "wild")}
					g.value(file, doc)
					v := jsontext.Value(g.out.String())
					want, got := valid(rt, s, v), check(v)
					if (want == nil) != (got == nil) {
						rt.Fatalf("%s: JSON Schema says %v, our checker says %v", v, want, got)
					}
					if got == nil {
						good++
					} else {
						bad++
					}
				})
				require.Positive(t, good, "no good value was tried")
				require.Positive(t, bad, "no bad value was tried")
			})
		}
	}
}

// TestLargeDataMayStandForAnyData: {"artifact","bytes"} alone is good data of
// every action but the ones whose schema says it itself.
func TestLargeDataMayStandForAnyData(t *testing.T) {
	large := jsontext.Value(`{"artifact":"a1","bytes":4194305}`)
	for _, a := range everyAction(t) {
		err := a.CheckData(large)
		if a.Name == "screenshot" || a.Name == "pdf" {
			require.Error(t, err, a.Name)
			continue
		}
		require.NoError(t, err, a.Name)
	}
	evaluate, _ := protocol.LookupAction("evaluate")
	for _, bad := range []string{
		`{"artifact":"a1"}`, `{"bytes":5}`, `{"artifact":"","bytes":5}`, `{"artifact":"a1","bytes":-1}`,
		`{"artifact":"a1","bytes":1.5}`, `{"artifact":5,"bytes":5}`, `{}`,
	} {
		require.ErrorContains(t, evaluate.CheckData(jsontext.Value(bad)), "data.value is missing", bad)
	}
	for n, ok := range map[int]bool{128: true, 129: false} {
		v := fmt.Sprintf(`{"artifact":"%0*d","bytes":0}`, n, 7)
		require.Equal(t, ok, evaluate.CheckData(jsontext.Value(v)) == nil, n)
	}
}

// TestNamesThatStandTwiceInData: what a page holds may, what the schema knows
// may not, since two readers could take one and the other.
func TestNamesThatStandTwiceInData(t *testing.T) {
	evaluate, _ := protocol.LookupAction("evaluate")
	for data, want := range map[string]string{
		`{"value":{"a":1,"a":2}}`:                                         "",
		`{"value":{"\ud800":1,"\ud801":2},"x":{}}`:                        "",
		`{"value":1,"new":1,"new":2}`:                                     "",
		`{"value":1,"value":2}`:                                           "data.value stands there twice",
		`{"value":1,"v\u0061lue":2}`:                                      "data.value stands there twice",
		`{"value":1,"dialog":{"type":"alert","message":"","message":""}}`: "data.dialog.message stands there twice",
	} {
		err := evaluate.CheckData(jsontext.Value(data))
		if want == "" {
			require.NoError(t, err, data)
		} else {
			require.EqualError(t, err, want, data)
		}
	}
}
