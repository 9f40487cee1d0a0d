// Package record writes a tape of what really happened: it stands between a
// daemon and its peers, a real extension or an agent or both at once, passes
// everything through and writes down who said what and when (KIT-08).
//
// The extension is given the recorder's address in the place of the daemon's, and
// so is the agent. Nothing is changed on the way: the daemon compares no port, so
// that not even Host need be. What goes by is written as lines of one time line,
// with the calls of agents named a1, a2, … in their order and the daemon's own ids
// of their commands mapped back to them.
//
//	r := record.New(record.Config{Upstream: daemon})
//	go r.Serve(ctx, ln)            // until ctx ends
//	… browser and agents talk to ln's address …
//	t, err := r.Tape()             // at any time
//	record.Save("bug.tape", t.Format(), false)
//
// Paths of files are replaced by ones that come to the same on any Unix, since
// those of a recording are on somebody's machine. What a tape has no words for
// is a comment in it: bytes that are no HTTP request, binary messages, results
// that break their schema, new tokens, pairing. Requests that only look at the
// daemon, preflights and pings are left out.
//
// Package redact says what is removed from a tape. Times are rounded to
// Config.Round, 10 ms if it is not set; what is nearer than that comes without a
// time line between.
package record
