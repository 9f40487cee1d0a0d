// Package generate makes web pages from a seed, each with an oracle: what the
// HTML standard, ARIA in HTML (HTML-AAM) and the accessible name computation
// (accname) say of it. A page that no code has been written for shows whether a
// browser, simulated or real, agrees with the standards rather than with its
// own tests (KIT-09).
//
// The oracle never parses the page. Page and expectations are written from one
// model, side by side: what a field is called is known because the label was
// chosen, not because it was found. So nothing of the code under test, and no
// HTML parser, stands between the two.
//
// [New] makes a [Page]. [Page.Begin] gives its [State]: what a person would
// find, [State.Nodes], and what comes of a [Step], [State.Do]: a refusal, a
// changed control, a [Request] with its entry list, a blocked submission.
// [Page.Scripts] proposes steps worth taking.
package generate
