package chrome_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/oh-my-webbridge/omw/conformance/world"
	"github.com/oh-my-webbridge/omw/daemon/client"
	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

// ledger compares what agents were told with what a server of theirs saw done: in
// a real browser nobody else can count (KIT-10).
type ledger struct {
	world.Honesty
	mu    sync.Mutex
	marks int
	told  map[world.Answer]int
	begun chan string
}

// count serves a page, and counts at /did/MARK.
func (l *ledger) count() http.Handler {
	l.told, l.begun = map[world.Answer]int{}, make(chan string, 64)
	mux := http.NewServeMux()
	mux.Handle("/", html(`<title>Counted</title>`))
	mux.HandleFunc("POST /did/{mark}", func(_ http.ResponseWriter, r *http.Request) {
		l.Started(r.PathValue("mark"))
		l.begun <- r.PathValue("mark")
	})
	return mux
}

// asks sends one evaluate that lets the server count it and then does what then
// says, and writes down what the agent was told.
func (l *ledger) asks(s session, then string) {
	l.mu.Lock()
	l.marks++
	mark := fmt.Sprintf("m%d", l.marks)
	l.mu.Unlock()
	l.Asked(mark)
	_, err := s.Evaluate(s.ctx(), client.EvaluateArgs{Code: fmt.Sprintf(`return fetch("/did/%s", {method: "POST"}).then(() => { %s })`, mark, then)})
	answer := world.AnswerTo(200, true, "", "")
	if err != nil {
		var e *protocol.Error
		if !errors.As(err, &e) {
			s.t.Errorf("%s was told what is no answer: %v", mark, err)
			return
		}
		status := 200
		if e.Code == protocol.BadRequest || e.Code == protocol.TooLarge {
			status = 400
		}
		answer = world.AnswerTo(status, false, string(e.Code), string(e.Delivered))
	}
	l.Answered(mark, answer)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told[answer]++
}

// Agents are told the truth by a real browser too, whatever goes wrong: deadlines
// that are too short, a page that throws, a worker that is stopped and a daemon
// that ends in the middle of commands. A server counts what was done.
func TestAgentsAreToldWhatWasDone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var l ledger
	address := serve(t, l.count())
	sessions := make([]session, 3)
	for i := range sessions {
		sessions[i] = r.session(t, fmt.Sprintf("counted-%d", i))
		sessions[i].open(address)
	}
	var agents sync.WaitGroup
	everybody := func(n int, does func(s session, i int)) {
		for _, s := range sessions {
			for i := range n {
				agents.Go(func() { does(s, i) })
			}
		}
	}

	// They run one after the other, so that the last ones of a session have little of
	// their time left when they begin, or none.
	everybody(8, func(s session, i int) {
		within := time.Duration(60*(1+i%4)) * time.Millisecond
		l.asks(session{s.Within(within), s.t}, `return new Promise((done) => setTimeout(done, 40))`)
	})
	agents.Wait()
	everybody(2, func(s session, i int) { l.asks(s, []string{`throw new Error("no")`, ``}[i]) })
	l.asks(session{sessions[0].Within(patience), t}, strings.Repeat(" ", 2<<20))
	agents.Wait()

	// Nobody can know what becomes of those that run when the worker is stopped.
	drain(l.begun)
	everybody(1, func(s session, _ int) { l.asks(s, `return new Promise(() => {})`) })
	for range sessions {
		receive(t, "the start of a command", l.begun)
	}
	again := r.stopped(t)
	agents.Wait()
	r.wake(t)
	again()

	// Nor when the daemon is told to end.
	drain(l.begun)
	everybody(1, func(s session, _ int) { l.asks(s, `return new Promise(() => {})`) })
	for range sessions {
		receive(t, "the start of a command", l.begun)
	}
	had := r.links()
	r.daemon.stop(t)
	agents.Wait()
	r.daemon.start(t)
	eventually(t, "the next connection", func() bool { return r.links() > had })
	r.connected(t)
	everybody(2, func(s session, _ int) { l.asks(s, ``) })
	agents.Wait()

	require.NoError(t, l.Check())
	for answer, least := range map[world.Answer]int{world.Refused: 1, world.Ran: 12, world.Uncertain: 6} {
		require.GreaterOrEqual(t, l.told[answer], least, "%v: of each kind there is enough to judge", l.told)
	}
}

func drain(from <-chan string) {
	for {
		select {
		case <-from:
		default:
			return
		}
	}
}
