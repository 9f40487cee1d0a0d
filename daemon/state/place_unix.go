//go:build unix && !linux && !darwin

package state

// placers are the ways to place a file without replacing, the best first.
var placers = []placer{link, copyNew}
