// Package mutants breaks what the suite judges, one rule at a time, and looks
// whether the rule's own scenarios notice (KIT-13): the daemon, and in the role
// of an extension the simulated one. A suite that stays green over a broken
// daemon proves nothing; the kill matrix proves that this one would not.
//
// There are three kinds:
//
//   - A limit that is off by the least that the wire can show, both ways, is
//     made from the fields of protocol.Limits: a new field brings its mutants
//     along, and a field without a rule fails the build's tests.
//   - A patch is a file in patches/: a rule, a sentence that says what it
//     breaks, and the lines of the daemon's source to replace. It is applied to a
//     copy that go build -overlay puts in the place of the original, so that
//     nothing in the daemon knows of it.
//   - A daemon that says nothing, or answers everything with 200 or 403, must
//     fail every rule that it can break.
//
// A mutant is killed by a check of its own rule, and by nothing else: that
// another rule's scenario fails too is a false kill, unless the mutant names
// that rule as collateral and says why.
package mutants
