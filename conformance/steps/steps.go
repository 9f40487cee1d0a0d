// Package steps is what the sentences of the features mean. Register makes a
// scene for every scenario, and each file of sentences adds its own to it. Each
// role under test has sentences of its own: what follows is about the daemon's,
// those of an extension and of a client have packages
// of their own.
//
// # The stage
//
// The sentences that all chapters share stand in browser.go, agent.go, time.go
// and expect.go, listed below by example. Those of one chapter stand in files
// that begin with its name. No sentence is registered twice.
//
// Browsers, called Chrome and Firefox:
//
//	Chrome is connected                          Chrome and Firefox are connected
//	Chrome is connected, holding the sessions "shop" and "mail"
//	Chrome is connected and falls silent         it sends nothing more by itself
//	Chrome leaves by a close frame with 1001     by the end of its connection, by a reset
//	Chrome connects again                        … , holding the session "shop" | no session
//	Chrome stops reading                         Chrome reads again
//	Chrome answers A                             what it holds, or long after that
//	Chrome answers A with page_error             Firefox answers A: on its own connection
//
// Commands of an agent, each described by one phrase:
//
//	the agent sends a click
//	the agent sends a click A of session "shop" to Firefox with the id "x" and the timeout 2s
//	the agent sends a tabs naming no browser
//	Chrome asks for a click of session "shop"    a request on the extension's connection
//	a click A of session "shop" that Chrome never answers
//
// A phrase is an action and what follows it in this order, each part optional:
// a name for later sentences (A, B1), of session "…" | of no session, to
// Chrome | to Firefox | naming no browser, with the id "…" | without an id, with
// the timeout 2s | without a timeout | with the timeout_ms «JSON», with the args
// {…}. What a phrase leaves out is said explicitly all the same, so that a
// scenario depends on no default: the session "shop", the browser that the
// scenario connected first, an id of its own and a timeout of 20 s. A session
// and an id stand in the request as they stand in the sentence, escapes included.
//
// What a browser does with the command may follow: that Chrome
//
//	answers              at once, and the agent has the answer when the step ends
//	answers with CODE    likewise, with an error
//	answers after 2s     by itself
//	works on             until it is told to answer, its own deadline passes or
//	                     its session is closed
//	never answers        by itself, at its own deadline neither
//
// The last three end when the browser has received the command. Without such an
// ending the browser answers at once, and the step ends when all has come to rest.
//
// Time:
//
//	5 minutes pass                               from now on
//	it is 29.999999999s old                      since the command's last byte went out
//	A is 30.000000001s old
//	Chrome's connection is 9.999999999s old      since it was opened
//
// Expectations, of it (the last command) or of named ones (A, A and B, A, B and C):
//
//	it is answered ok                            by now; never by waiting for it
//	it is answered outcome_unknown, delivered "no"
//	A and B are answered with their own values   for evaluate, whose value is its own
//	it is over                                   answered, whatever the answer
//	it is refused with 409                       it is refused with 413 too_large
//	its error says "Chrome"                      without case
//	its answer has the status 200
//	it has no answer yet                         A and B have no answer yet
//	it took no time                              it took 30s
//	Chrome has received A, B and C in that order
//	Chrome has received only A                   beside probes, which the step sends itself
//	nothing has reached Chrome                   likewise
package steps

import (
	"github.com/cucumber/godog"

	"github.com/oh-my-webbridge/omw/conformance/ledger"
	"github.com/oh-my-webbridge/omw/conformance/steps/client"
	"github.com/oh-my-webbridge/omw/conformance/steps/extension"
	"github.com/oh-my-webbridge/omw/conformance/steps/words"
	"github.com/oh-my-webbridge/omw/conformance/world"
)

// Register registers every sentence for one scenario. Its state is made here.
func Register(sc *godog.ScenarioContext, w *world.World) {
	all := words.Of(sc, w.Scenario.Steps)
	switch w.Scenario.Role {
	case ledger.Extension, ledger.Sim:
		extension.Register(all, w)
		return
	case ledger.Client:
		client.Register(all, w)
		return
	}
	s := newScene(w)
	registerBrowsers(all, s)
	registerAgent(all, s)
	registerTime(all, s)
	registerExpect(all, s)
	registerAuth(all, s)
	registerRoute(all, s)
	registerLimits(all, s)
	registerFiles(all, s)
	registerLinkCommands(all, s)
	registerEnvelopes(all, s)
	registerOrder(all, s)
	registerDeadlines(all, s)
	registerTapes(all, w)
}
