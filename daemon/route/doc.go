// Package route knows which browsers are connected and which session belongs
// to which: it holds at most one link of each browser, picks the one for a
// command, and keeps the bindings of sessions, in memory and in the config
// directory (ROUTE-01, ROUTE-04 to ROUTE-08).
package route
