//go:build unix && !linux

package artifact

// unprivileged runs f as a user whom the modes of files bind, which these
// systems let only an ordinary user be.
func unprivileged(f func() error) error { return f() }
