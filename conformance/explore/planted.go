package explore

import (
	"embed"
	"io/fs"
)

// MostLines is how many lines a tape may have that a planted fault is shrunk to.
const MostLines = 12

//go:embed planted/*.mutant
var planted embed.FS

// Planted returns the faults that were planted on purpose, as patches of the
// daemon: each must be found, and shrunk to at most MostLines lines. They show
// that a search that finds nothing has looked (KIT-13).
func Planted() (fs.FS, error) { return fs.Sub(planted, "planted") }
