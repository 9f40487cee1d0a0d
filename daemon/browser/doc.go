// Package browser is one connected browser: the link to its extension, the
// commands that wait for an answer, their capacity and their deadlines.
//
// One goroutine reads a link and one writes it. A command that waits is one
// Call in one map; it is settled exactly once, by its result, by its deadline
// or by the end of the link, whichever comes first (CMD-03, CMD-04, CMD-11).
// No lock is held across I/O.
package browser
