package target

import _ "embed"

// Schema is the JSON Schema of target files.
//
//go:embed target.schema.json
var Schema []byte
