package protocol

import (
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// actionFiles returns a library with one action, whose args are that schema.
func actionFiles(args string) fstest.MapFS {
	return fstest.MapFS{
		"common.json": {Data: []byte(`{"$defs":{
			"artifact":{"type":"object","properties":{"artifact":{"type":"string"}},"required":["artifact"]},
			"loop":{"$ref":"#/$defs/loop"},
			"one":{"oneOf":[{"required":["a"]},{"required":["b"]}]}}}`)},
		"action/poke.json": {Data: []byte(`{"title":"poke","description":"Pokes.","$defs":{"args":` + args + `,"data":{"type":"object"}}}`)},
	}
}

func registryOf(files fs.FS) (*registry, error) { return (&catalogue{files: files}).registry() }

func TestCompilerTakesOurSubset(t *testing.T) {
	r, err := registryOf(actionFiles(`{"type":"object","properties":{"a":{"type":["string","null"],"minLength":2},"b":{"const":true}},
		"$ref":"../common.json#/$defs/one","additionalProperties":false}`))
	require.NoError(t, err)
	poke := r.byName["poke"]
	require.NoError(t, poke.CheckArgs([]byte(`{"a":"xy"}`)))
	require.NoError(t, poke.CheckArgs([]byte(`{"b":true}`)))
	require.EqualError(t, poke.CheckArgs([]byte(`{"a":"x"}`)), "args.a must have at least 2 characters, and has 1")
	require.EqualError(t, poke.CheckArgs([]byte(`{}`)), "args must have exactly one of a and b, and has none")
}

func TestCompilerRefusesWhatItDoesNotKnow(t *testing.T) {
	for args, want := range map[string]string{
		`{"type":"object","patternProperties":{}}`:                                          `patternProperties: the keyword is not of our subset`,
		`{"type":"object","properties":{"a":{"type":"string","contentEncoding":"base64"}}}`: `a: contentEncoding: the keyword is not of our subset`,
		`{"type":"strin"}`: `"strin" is no type`,
		`{"type":"object","properties":{"a":{"minLength":1}}}`:                                          `it has keywords for a string but not that type`,
		`{"type":"object","properties":{"a":{"type":"string","items":{}}}}`:                             `it has keywords for an array but not that type`,
		`{"properties":{"a":{}}}`:                                                                       `it has keywords for objects but not that type`,
		`{"type":"object","properties":{"a":{"type":"string","format":"uri"}}}`:                         `the format "uri" is not of our subset`,
		`{"type":"object","properties":{"a":{"type":"string","format":"absolute-path","minLength":1}}}`: `the format stands alone`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}`:                          `missing closing )`,
		`{"type":"object","properties":{"a":{"type":"integer","minimum":0}}}`:                           `an integer of our subset has a minimum and a maximum`,
		`{"type":"object","properties":{"a":{"enum":[1,2]}}}`:                                           `only strings, booleans and null`,
		`{"type":"object","properties":{"a":{"type":"string","enum":["x"]}}}`:                           `an enum or const stands alone`,
		`{"type":"object","properties":{"a":{"type":"array","uniqueItems":true}}}`:                      `uniqueItems needs items with an enum`,
		`{"type":"object","required":["a"]}`:                                                            `required names a, which is no property`,
		`{"type":"object","properties":{"a":{}},"dependentRequired":{"a":["b"]}}`:                       `a rule names b, which is no property`,
		`{"type":"object","properties":{"a":{}},"$ref":"../common.json#/$defs/one"}`:                    `a rule names b, which is no property`,
		`{"type":"object","properties":{"a":{}},"not":{"type":"object"}}`:                               `type is not of our subset here`,
		`{"type":"object","properties":{"a":{}},"allOf":[{"type":"object"}]}`:                           `only rules on members`,
		`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{"type":["string"]}]}}}`:        `told apart neither by a constant member nor by their type`,
		`{"type":"object","properties":{"a":{"oneOf":[{"type":"string"},{}]}}}`:                         `told apart neither`,
		`{"type":"object","propertyNames":{"minLength":1}}`:                                             `minLength is not of our subset`,
		`{"type":"object","$ref":"../common.json#/$defs/artifact"}`:                                     `$ref stands beside annotations alone`,
		`{"type":"string","$ref":"../common.json#/$defs/one"}`:                                          `stands in no object`,
		`{"$ref":"../common.json#/$defs/loop"}`:                                                         `refers to itself`,
		`{"$ref":"../common.json#/$defs/nothing"}`:                                                      `has no $defs/nothing`,
		`{"$ref":"../other.json#/$defs/a"}`:                                                             `other.json`,
		`{"$ref":"#/properties/a"}`:                                                                     `is not of our subset`,
		`{"type":"object","type":"object"}`:                                                             `a name stands twice`,
		`{"type":"object","properties":{"x":{}` + manyProperties(64) + `}}`:                             `at most 64 properties`,
	} {
		_, err := registryOf(actionFiles(args))
		require.ErrorContains(t, err, want, args)
		require.Panics(t, func() { (&catalogue{files: actionFiles(args)}).load() }, args)
		require.Panics(t, func() { (&catalogue{files: actionFiles(args)}).named("poke") }, args)
	}
	_, err := registryOf(actionFiles(`{"type":"object","properties":{"x":{}` + manyProperties(63) + `}}`))
	require.NoError(t, err)
}

func manyProperties(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"p` + strings.Repeat("x", i) + `":{}`)
	}
	return b.String()
}

func TestLoadRefusesAFileThatIsNoAction(t *testing.T) {
	good := `"$defs":{"args":{"type":"object"},"data":{"type":"object"}}`
	for file, want := range map[string]string{
		`{"title":"pok","description":"Pokes.",` + good + `}`:                                                                         "its title must be the file's name",
		`{"title":"poke",` + good + `}`:                                                                                               "its description must not be empty",
		`{"title":"poke","description":"Pokes.","x-omw-fast":true,` + good + `}`:                                                      "x-omw-fast is no annotation of ours",
		`{"title":"poke","description":"Pokes.","type":"object",` + good + `}`:                                                        `the keyword "type" is not of our subset at the top`,
		`{"title":"poke","description":"Pokes.","x-omw-reserved":"yes",` + good + `}`:                                                 "x-omw-reserved must be true or false, not a string",
		`{"title":"poke","description":"Pokes.","x-omw-aliases":["poke"],` + good + `}`:                                               "two actions are called poke",
		`{"title":"poke","description":"Pokes.","$defs":{"args":{"type":"object"}}}`:                                                  "has no $defs/data",
		`{"title":"poke","description":"Pokes.","$defs":{"args":{"type":"object"},"data":{"type":"object"},"odd":{"type":"object"}}}`: "$defs/odd is used by nothing",
		`{`: "the JSON ends too early",
	} {
		files := actionFiles(`{}`)
		files["action/poke.json"] = &fstest.MapFile{Data: []byte(file)}
		_, err := registryOf(files)
		require.ErrorContains(t, err, want, file)
	}
	_, err := registryOf(fstest.MapFS{})
	require.Error(t, err)
}
