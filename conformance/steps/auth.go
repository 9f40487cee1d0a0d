package steps

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/oh-my-webbridge/omw/sim"
)

// auth is what a scenario about who may come in has asked and been told.
type auth struct {
	*scene
	// heard are the requests of the last When, each with its answer.
	heard []exchange
	// before is the token before its last rotation; tokens are all that a
	// rotation has made.
	before string
	tokens []string
	// presented is what was presented in the place of a token.
	presented []string
	// codes are the pairing codes that were made, guesses the guesses at them in
	// their order.
	codes   []string
	guesses []exchange
	// pings are the answers of GET /ping.
	pings []exchange
	// nonces are the nonces of the proofs that were asked for.
	nonces []string
	// calls are requests that were begun and not sent to their end.
	calls []*sim.Call
	// starting is the error of the last start that may fail.
	starting error
	// began is when the request was begun whose time is judged.
	began time.Time
}

// exchange is a request and its answer.
type exchange struct {
	request sim.Request
	answer  sim.Response
	// cut: the daemon ended the connection in place of an answer.
	cut bool
}

func (e *exchange) String() string { return e.request.Method + " " + e.request.Target }

// registerAuth registers the sentences of the AUTH rules.
func registerAuth(sc sentences, s *scene) {
	a := &auth{scene: s}
	registerAnswers(sc, a)
	registerToken(sc, a)
	registerSource(sc, a)
	registerSocket(sc, a)
	registerPair(sc, a)
	registerGuess(sc, a)
	registerForm(sc, a)
	registerPairBody(sc, a)
	registerOutsider(sc, a)
	registerPing(sc, a)
	registerProof(sc, a)
	registerHost(sc, a)
	registerAddress(sc, a)
	registerOrigin(sc, a)
	registerOriginRead(sc, a)
	registerPage(sc, a)
	registerKind(sc, a)
	registerConfig(sc, a)
	registerSecrets(sc, a)
}

// patience is how long a request of these scenarios may stay without an answer,
// well above what any of them has to wait for.
const patience = 9 * time.Second

var errNoAnswer = errors.New("no answer came")

// send makes one request on a connection of its own. A daemon that gives no
// answer has broken the scenario's rule, whichever it is.
func (a *auth) send(ctx context.Context, r sim.Request) (exchange, error) {
	e, err := a.exchange(ctx, r)
	if err == nil && e.cut {
		err = a.unanswered(&e)
	}
	return e, err
}

func (a *auth) unanswered(e *exchange) error {
	return a.w.Fail("no-answer", "%s is not answered: the connection ends", e)
}

// ask sends the request and keeps it with its answer for the steps that judge.
func (a *auth) ask(ctx context.Context, r sim.Request) error {
	e, err := a.exchange(ctx, r)
	if err != nil {
		return err
	}
	a.heard = append(a.heard, e)
	return nil
}

// exchange makes one request on a connection of its own, which the daemon may
// end in place of an answer.
func (a *auth) exchange(ctx context.Context, r sim.Request) (exchange, error) {
	call, err := a.begin(ctx, r)
	if err != nil {
		return exchange{}, err
	}
	defer func() { _ = call.Close() }()
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		// A daemon that answers early need not read the rest.
		_ = call.SendAll()
	}()
	e, err := a.read(ctx, call, r)
	_ = call.Close()
	<-wrote
	return e, err
}

// begin connects for a request that is sent in pieces. The caller closes it.
func (a *auth) begin(ctx context.Context, r sim.Request) (*sim.Call, error) {
	d, err := a.w.Daemon(ctx)
	if err != nil {
		return nil, err
	}
	agent := sim.Agent{Dial: d.Dial, Addr: d.Addr()}
	call, err := agent.Start(ctx, r)
	if err != nil {
		return nil, err
	}
	a.w.Transcript.Sent("caller", written(r))
	return call, nil
}

// read reads the answer to a request.
func (a *auth) read(ctx context.Context, call *sim.Call, r sim.Request) (exchange, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, errNoAnswer)
	defer cancel()
	resp, err := call.Read(ctx)
	e := exchange{request: r, answer: resp}
	switch {
	case err == nil:
		a.w.Transcript.Received("caller", resp.Raw)
	case ctx.Err() != nil:
		return e, a.w.Fail("no-answer", "%s %s is not answered within %s", r.Method, r.Target, patience)
	default:
		a.w.Transcript.Note("caller", "no answer: %v", err)
		e.answer, e.cut = sim.Response{}, true
	}
	return e, nil
}

// written is the request as a transcript shows it.
func written(r sim.Request) []byte {
	out := fmt.Appendf(nil, "%s %s", r.Method, r.Target)
	if r.Host != nil {
		out = fmt.Appendf(out, "\nHost: %s", *r.Host)
	}
	for _, h := range r.Headers {
		out = fmt.Appendf(out, "\n%s: %s", h.Name, h.Value)
	}
	return append(append(out, "\n\n"...), r.Body...)
}
