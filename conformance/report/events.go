package report

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/oh-my-webbridge/omw/conformance/verdict"
)

// eventsSchema is EventsSchema, compiled.
var eventsSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(EventsSchema))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("events.schema.json", doc); err != nil {
		return nil, err
	}
	return c.Compile("events.schema.json")
})

// events writes the stream line by line. What it publishes is what the schema
// says, or it writes nothing.
func events(w io.Writer, s *verdict.Stream) error {
	schema, err := eventsSchema()
	if err != nil {
		return fmt.Errorf("compile the schema of events: %w", err)
	}
	for n, e := range s.Events() {
		var line bytes.Buffer
		if err := verdict.Write(&line, e); err != nil {
			return err
		}
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line.Bytes()))
		if err != nil {
			return fmt.Errorf("write events: line %d: %w", n+1, err)
		}
		if err := schema.Validate(v); err != nil {
			return fmt.Errorf("write events: line %d does not follow the schema: %w", n+1, err)
		}
		if _, err := w.Write(line.Bytes()); err != nil {
			return fmt.Errorf("write events: %w", err)
		}
	}
	return nil
}
