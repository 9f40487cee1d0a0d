// Package conformance runs the suite: it takes the plan that the features make
// of the ledger, runs each scenario in its lane against a target, and writes
// the event stream of which every verdict is a function.
//
// The rooms are ledger (the rules as data), plan (the features), target (the
// daemon under test), lane (how time passes), world (what a step stands on),
// verdict (the stream and what follows from it) and report (its formats). The
// steps themselves are passed in, so that this package knows no wire.
// AUTHORS.md says how features and steps are written, TARGETS.md how a daemon
// of any language is put under test.
package conformance
