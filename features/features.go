// Package features holds the rules of the suite as people read them: one
// folder a chapter, one file a rule or an aspect of it, tagged with the rule's
// id. Package conformance/plan reads them; conformance/AUTHORS.md says how one
// is written.
package features

import "embed"

// FS holds every *.feature of the chapters' folders, under its path below this
// folder, as auth/pairing-code-age.feature.
//
//go:embed */*.feature
var FS embed.FS
