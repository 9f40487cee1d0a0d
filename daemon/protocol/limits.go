package protocol

import "time"

// Limits holds every number of the protocol that the daemon keeps. The seeds
// fix the values; a field's tag names the rule that it belongs to, and a rule's
// scenarios test it at its edge. A field without a rule fails the build's tests.
// The tag step is the smallest difference that the wire can show; if it is left
// out that is 1, and 2ns for a time, at which scenarios look a nanosecond before
// and after, and never at the very moment.
type Limits struct {
	// Body is the largest HTTP request body, and the largest request frame, in bytes.
	Body int64 `rule:"CMD-01"`
	// DefaultTimeout is the time a command has when it names none.
	DefaultTimeout time.Duration `rule:"CMD-09"`
	// MaxTimeout is the longest time a command may ask for.
	MaxTimeout time.Duration `rule:"CMD-10" step:"1ms"`
	// Depth is how deep JSON of an agent may nest; the envelope is level 1.
	Depth int `rule:"CMD-14"`
	// SessionName is the longest session name, in bytes.
	SessionName int `rule:"CMD-14"`
	// RequestID is the longest id, in bytes.
	RequestID int `rule:"CMD-14"`

	// Requests is how many HTTP requests are read or served at a time.
	Requests int `rule:"LIMIT-01"`
	// BodyTime is how long a request body may take.
	BodyTime time.Duration `rule:"LIMIT-01"`
	// StallTime is how long an answer may make no progress.
	StallTime time.Duration `rule:"LIMIT-01"`
	// HeaderTime is how long a request's header may take.
	HeaderTime time.Duration `rule:"LIMIT-01"`
	// Connections is how many TCP connections are open at a time.
	Connections int `rule:"LIMIT-01"`
	// Commands is how many ordinary commands one browser has at a time.
	Commands int `rule:"LIMIT-02"`
	// Reserve is how many close_session, dialog, cdp_detach and artifact_close
	// commands one browser has at a time, beside the ordinary ones.
	Reserve int `rule:"LIMIT-03"`
	// Sessions is how many sessions are bound to one browser.
	Sessions int `rule:"LIMIT-05"`
	// Message is the largest WebSocket message, in bytes.
	Message int64 `rule:"LIMIT-07"`
	// Buffered is how many bytes of result payload the daemon holds, from their
	// receipt to the end of their HTTP writes, both browsers together.
	Buffered int64 `rule:"LIMIT-08"`
	// UploadCommand is how many bytes of files one upload sends.
	UploadCommand int64 `rule:"LIMIT-15"`
	// UploadTotal is how many bytes of files all uploads in flight hold.
	UploadTotal int64 `rule:"LIMIT-15"`
	// PDF is the largest PDF, in bytes.
	PDF int64 `rule:"LIMIT-16"`

	// PairAge is how long a pairing code is valid; at that age it is not.
	PairAge time.Duration `rule:"AUTH-08"`
	// PairAttempts is how many well-formed guesses a pairing code survives.
	PairAttempts int `rule:"AUTH-09"`
	// PairInterval is the time between two well-formed guesses.
	PairInterval time.Duration `rule:"AUTH-21"`
	// PairBody is the largest body of POST /pair, in bytes.
	PairBody int64 `rule:"AUTH-21"`
	// PairBodyTime is how long the body of POST /pair may take.
	PairBodyTime time.Duration `rule:"AUTH-21"`
	// PairConcurrent is how many POST /pair are served at a time.
	PairConcurrent int `rule:"AUTH-21"`
	// NonceMin and NonceMax bound the nonce of GET /ping, in characters.
	NonceMin int `rule:"AUTH-20"`
	NonceMax int `rule:"AUTH-20"`

	// HelloTime is how long a new extension link may wait with its hello.
	HelloTime time.Duration `rule:"ROUTE-01"`
	// Silence is how long a link may send nothing before the daemon drops it,
	// so that a dead socket keeps nobody out.
	Silence time.Duration `rule:"ROUTE-02"`
	// FileName is the longest name of an artifact's file, in bytes.
	FileName int `rule:"FILE-02"`
}

// DefaultLimits returns the limits of omw.v1.
func DefaultLimits() Limits {
	return Limits{
		Body:           2 << 20,
		DefaultTimeout: 30 * time.Second,
		MaxTimeout:     120 * time.Second,
		Depth:          64,
		SessionName:    128,
		RequestID:      128,

		Requests:      288,
		BodyTime:      30 * time.Second,
		StallTime:     30 * time.Second,
		HeaderTime:    10 * time.Second,
		Connections:   1024,
		Commands:      128,
		Reserve:       16,
		Sessions:      128,
		Message:       32 << 20,
		Buffered:      64 << 20,
		UploadCommand: 16 << 20,
		UploadTotal:   64 << 20,
		PDF:           100 << 20,

		PairAge:        5 * time.Minute,
		PairAttempts:   5,
		PairInterval:   time.Second,
		PairBody:       1 << 10,
		PairBodyTime:   5 * time.Second,
		PairConcurrent: 4,
		NonceMin:       22,
		NonceMax:       64,

		HelloTime: 10 * time.Second,
		Silence:   45 * time.Second,
		FileName:  255,
	}
}

// ExtensionLimits holds the numbers that the extension keeps. The simulated
// extension uses them, and the welcome frame tells them to a real one.
type ExtensionLimits struct {
	// Waiting is how many commands of one session wait behind the running one.
	Waiting int `rule:"LIMIT-04"`
	// Tabs is how many tabs one session has.
	Tabs int `rule:"LIMIT-06"`
	// Ping is the time between two pings of the extension.
	Ping time.Duration `rule:"LIFE-01"`
	// Silence is how long the extension hears nothing before it closes its socket.
	Silence time.Duration `rule:"LIFE-02"`
	// BackoffMin and BackoffMax bound the time between two tries to connect.
	BackoffMin time.Duration `rule:"LIFE-04"`
	BackoffMax time.Duration `rule:"LIFE-04"`
	// Inline is the largest result that travels whole, in bytes; a larger one
	// travels as an artifact.
	Inline int64 `rule:"LIMIT-09"`
	// Jobs is how many screenshots and PDFs are made at a time.
	Jobs int `rule:"LIMIT-10"`
	// Margin bounds what one hop keeps back from its deadline (CMD-16).
	Margin time.Duration `rule:"CMD-16"`
}

// DefaultExtensionLimits returns the extension's limits of omw.v1.
func DefaultExtensionLimits() ExtensionLimits {
	return ExtensionLimits{
		Waiting:    32,
		Tabs:       32,
		Ping:       20 * time.Second,
		Silence:    45 * time.Second,
		BackoffMin: 500 * time.Millisecond,
		BackoffMax: 30 * time.Second,
		Inline:     4 << 20,
		Jobs:       2,
		Margin:     250 * time.Millisecond,
	}
}
