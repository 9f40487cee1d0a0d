// Package peer plays the other ends of the daemon for the tests of its rooms:
// a listener in memory, and an extension that says what a test tells it to and
// reads nothing unless it is told to. It is for tests alone.
package peer
