//go:build !unix

package console

import "io/fs"

// private cannot be seen from a mode here: the directories of a user are his own
// by their access lists.
func private(info fs.FileInfo) bool { return info.IsDir() }
