//go:build !unix

package target

import "os"

// signals are those by which an extension's background can be stopped: this
// system has none.
var signals = map[string]os.Signal{}
