package protocol_test

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// root is where the schema files stand for the oracle, so that their relative
// references resolve.
const root = "https://omw.test/schema/"

// oracle is another implementation of JSON Schema over the same files.
type oracle struct {
	compiler *jsonschema.Compiler
	// docs holds each file, decoded, by its path.
	docs map[string]any
}

func newOracle(t testing.TB) *oracle {
	o := &oracle{jsonschema.NewCompiler(), map[string]any{}}
	o.compiler.DefaultDraft(jsonschema.Draft2020)
	o.compiler.AssertFormat()
	o.compiler.RegisterFormat(&jsonschema.Format{Name: "absolute-path", Validate: func(v any) error {
		if s, ok := v.(string); ok {
			return protocol.CheckPath(s)
		}
		return nil
	}})
	require.NoError(t, fs.WalkDir(protocol.Schemas(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := fs.ReadFile(protocol.Schemas(), path)
		if err != nil {
			return err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
		o.docs[path] = doc
		return errors.Join(err, o.compiler.AddResource(root+path, doc))
	}))
	return o
}

// paths returns the schema files in order.
func (o *oracle) paths() []string { return slices.Sorted(maps.Keys(o.docs)) }

// schema compiles the schema at a path like "action/click.json#/$defs/args".
func (o *oracle) schema(t testing.TB, at string) *jsonschema.Schema {
	s, err := o.compiler.Compile(root + at)
	require.NoError(t, err, at)
	return s
}

// valid reports whether v is good by the schema.
func valid(t require.TestingT, s *jsonschema.Schema, v jsontext.Value) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(v))
	require.NoError(t, err, "%s", v)
	return s.Validate(doc)
}

func TestSchemaFilesAreGood(t *testing.T) {
	o := newOracle(t)
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	require.NoError(t, err)
	require.Greater(t, len(o.docs), 50)
	for _, path := range o.paths() {
		doc := o.docs[path].(map[string]any)
		require.NoError(t, meta.Validate(doc), path)
		require.Equal(t, "https://json-schema.org/draft/2020-12/schema", doc["$schema"], path)
		require.NotEmpty(t, doc["title"], path)
		o.schema(t, path)
		defs, _ := doc["$defs"].(map[string]any)
		for name := range defs {
			o.schema(t, path+"#/$defs/"+name)
		}
		if path != "common.json" {
			require.NotEmpty(t, doc["description"], path)
		}
	}
}

func TestEveryCommonDefinitionIsUsed(t *testing.T) {
	var all strings.Builder
	o := newOracle(t)
	for _, path := range o.paths() {
		b, err := fs.ReadFile(protocol.Schemas(), path)
		require.NoError(t, err)
		all.Write(b)
	}
	for name := range o.docs["common.json"].(map[string]any)["$defs"].(map[string]any) {
		if name == "artifact" {
			continue // It stands in the place of any data on the link; the code refers to it.
		}
		require.Contains(t, all.String(), "#/$defs/"+name+`"`, name)
	}
}
