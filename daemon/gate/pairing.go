package gate

import (
	"crypto/rand"
	"crypto/subtle"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const codeDigits = 6

// Pairing holds the one pairing code that may be open and everything that keeps
// it from being guessed or starved (AUTH-07 to 10, AUTH-21). It is safe for
// concurrent use: all of it is decided under one lock, which is held over no wait.
type Pairing struct {
	limits protocol.Limits

	mu      sync.Mutex
	code    string // empty: none was made, or it was redeemed, spent or voided
	born    time.Time
	left    int
	guessed time.Time // when the last guess was compared; zero: none was
	history history
}

// NewPairing returns a Pairing in which no code is open.
func NewPairing(l protocol.Limits) *Pairing { return &Pairing{limits: l} }

// Open makes a new code of six ASCII digits, leading zeros kept, and returns the
// time at which it is no longer valid. The code before it, its attempts and
// their history are forgotten.
func (p *Pairing) Open() (code string, expires time.Time) {
	code = newCode()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.code, p.born, p.left = code, time.Now(), p.limits.PairAttempts
	p.history = nil
	return code, p.born.Add(p.limits.PairAge)
}

// Redeem takes a guess from the extension with that Origin. It returns nil once
// a code, for its right guess. Else the error is
//   - bad_request for what is not six ASCII digits, which costs nothing,
//   - busy for a guess sooner than PairInterval after the one before, which is
//     not compared and spends no attempt,
//   - unauthorized, in the same words and time, for a wrong guess and when no
//     code is open or the open one is too old.
func (p *Pairing) Redeem(code, origin string) *protocol.Error {
	if !isCode(code) {
		return protocol.Errorf(protocol.BadRequest, `"code" must be the six digits that omw pair shows, as a string`)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if !p.guessed.IsZero() && age(p.guessed, now) < p.limits.PairInterval {
		p.history.add(Attempt{origin, TooSoon, now})
		return protocol.Errorf(protocol.Busy, "one code may be tried every %s; wait and try again", p.limits.PairInterval)
	}
	p.guessed = now
	if !p.compare(code, now) {
		p.history.add(Attempt{origin, Wrong, now})
		return protocol.Errorf(protocol.Unauthorized, "this code is not valid; run omw pair for a new one")
	}
	p.history.add(Attempt{origin, Redeemed, now})
	return nil
}

// compare spends an attempt and then looks at the guess. A code that is not
// open is compared too, so that its absence takes as long as a wrong guess.
func (p *Pairing) compare(guess string, now time.Time) bool {
	open, want := p.open(now), p.code
	if open {
		p.left--
	} else {
		want = "------"
	}
	right := subtle.ConstantTimeCompare([]byte(guess), []byte(want)) == 1
	if !open || right || p.left == 0 {
		p.code = ""
	}
	return open && right
}

func (p *Pairing) open(now time.Time) bool {
	return p.code != "" && age(p.born, now) < p.limits.PairAge
}

// Void closes the open code, as a rotation of the token does.
func (p *Pairing) Void() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.code = ""
}

// Status returns whether a code is open, when the last one expires or expired,
// how many attempts it has or had left, and the last attempts, the oldest first.
// It never holds a code.
func (p *Pairing) Status() (open bool, expires time.Time, left int, attempts []Attempt) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.born.IsZero() {
		expires = p.born.Add(p.limits.PairAge)
	}
	return p.open(time.Now()), expires, p.left, p.history.copy()
}

// age returns how long ago a moment was: by the monotonic clock, which nobody
// can set, or by the wall clock, which goes on while the machine sleeps,
// whichever says longer.
func age(since, now time.Time) time.Duration {
	return max(now.Sub(since), now.Round(0).Sub(since.Round(0)))
}

func newCode() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		// The reader of crypto/rand ends the process rather than fail.
		panic(err)
	}
	return fmt.Sprintf("%0*d", codeDigits, n)
}

func isCode(s string) bool {
	if len(s) != codeDigits {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
