package target

import _ "embed"

// Schema is the JSON Schema of target files.
//
//go:embed target.schema.json
var Schema []byte

// ExtensionSchema is the JSON Schema of an extension's target files.
//
//go:embed extension.schema.json
var ExtensionSchema []byte
