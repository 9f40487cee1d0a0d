package tape

// The arguments that several verbs have.
var (
	within  = Param{Name: "within", Kind: wait, Doc: "how long to wait for it, 5s if it is not said"}
	at      = Param{Name: "at", Kind: wait, Doc: "when it must happen, from the tape's start: to the nanosecond in the virtual lane, and in the real one not before it and at most 1s, and what the machine was late, after it"}
	took    = Param{Name: "took", Kind: wait, Doc: "how long after its request was sent, as at="}
	refused = Param{Name: "refused", Kind: status, Doc: "the daemon must refuse the connection with this status"}
	closed  = Param{Name: "closed", Kind: closeNo, Doc: "the daemon must close the connection with this code instead of a welcome"}
	helloBy = []Param{
		{Name: "sessions", Kind: list, Doc: "the sessions that it holds; by default those of the simulated browser, which outlive a connection"},
		{Name: "browser", Kind: text, Doc: "the browser that it claims to be"},
		{Name: "version", Kind: text, Doc: "the browser's version"},
		{Name: "extension", Kind: text, Doc: "the extension's version"},
		{Name: "file-access", Kind: flag, Doc: "whether the extension may open files by path"},
	}
	replyBy = []Param{
		{Name: "error", Kind: code, Doc: "it fails with this code"},
		{Name: "message", Kind: text, Doc: "the message of the error"},
		{Name: "data", Kind: object, Doc: "it succeeds with this data"},
		{Name: "file", Kind: file, Doc: "the data stands in a file; a .b64 file is a picture or a PDF"},
	}
	okWord = Param{Name: "ok", Kind: oneOf("ok"), Optional: true, Doc: "it succeeds: with what the simulated pages make of it, or {} if it comes too late for them"}
	ofWay  = Param{Name: "of", Kind: oneOf("out", "in"), Doc: "out, what the browser sends, by default; in, what it reads"}
	answer = []Param{
		{Name: "error", Kind: code, Doc: "it must be this error"},
		{Name: "delivered", Kind: oneOf("no", "unknown"), Doc: "what the error must say about its delivery"},
		{Name: "message", Kind: text, Doc: "a part of the error's message, in whatever case"},
		{Name: "data", Kind: object, Doc: "members that the data must have; of objects in it, a part is enough"},
		{Name: "status", Kind: status, Doc: "the HTTP status"},
		took, at, within,
	}
)

func with(own []Param, more ...Param) []Param { return append(own[:len(own):len(own)], more...) }

var verbs = []Verb{
	{
		Name: "connect", Of: Browser, Args: []Param{refused, within},
		Doc:     "opens the WebSocket to the daemon. Nothing is said yet: hello follows, or join does both. The sessions and tabs of the simulated browser are what they were on its last connection.",
		Example: "chrome connect refused=409",
	},
	{
		Name: "hello", Of: Browser, Args: with(helloBy, closed, within),
		Doc:     "says hello and waits for the welcome.",
		Example: "chrome hello version=131.0.6778.85 sessions=shop,mail",
	},
	{
		Name: "join", Of: Browser, Args: with(helloBy, refused, closed, within),
		Doc:     "connects and says hello.",
		Example: "firefox join sessions=shop",
	},
	{
		Name: "run", Of: Browser,
		Doc:     "lives by itself from now on, as the extension does: it connects, says hello, and when the connection ends connects again after the back-off, or at the next alarm if its background was stopped. A browser that runs has no connect, hello or join.",
		Example: "firefox run",
	},
	{
		Name: "expect", Of: Browser, Judges: true,
		Words: []Param{{Name: "id", Kind: knownID, Doc: "a command of an agent, or an answer to an ask"}, {Name: "ok", Kind: oneOf("ok"), Optional: true, Doc: "of an ask: it must have succeeded"}},
		Args: []Param{
			{Name: "action", Kind: text, Doc: "the action that the frame must name"},
			{Name: "session", Kind: text, Doc: "the session that it must name"},
			{Name: "args", Kind: object, Doc: "arguments that it must have; others may be there"},
			{Name: "error", Kind: code, Doc: "of an ask: it must have failed with this code"},
			{Name: "delivered", Kind: oneOf("no", "unknown"), Doc: "of an ask: what the error says about its delivery"},
			{Name: "data", Kind: object, Doc: "of an ask: members that the data must have"},
			at, within,
		},
		Doc:     "waits until the command of that id has reached this browser. A tape in which no agent acts names the commands by this line: each new id is the next one that comes.",
		Example: `chrome expect a1 action=click session=shop args={"ref":"@e4"}`,
	},
	{
		Name: "expect nothing", Of: Browser, Judges: true, Args: []Param{{Name: "for", Kind: wait, Doc: "how long; no time at all if it is not said"}},
		Doc:     "no command has come that was not expected before, and none comes for so long.",
		Example: "chrome expect nothing for=1s",
	},
	{
		Name: "expect close", Of: Browser, Judges: true,
		Words: []Param{{Name: "code", Kind: closeNo, Optional: true, Doc: "the code of the daemon's close frame; without it, the end of the connection, however it came"}},
		Args:  []Param{{Name: "reason", Kind: text, Doc: "a part of the close frame's reason"}, at, within},
		Doc:   "waits until the daemon has ended the connection.", Example: "chrome expect close 1008 reason=hello",
	},
	{
		Name: "expect pong", Of: Browser, Judges: true, Args: []Param{at, within},
		Doc: "waits for a pong that was not expected before.", Example: "chrome expect pong",
	},
	{
		Name: "started", Of: Browser, Judges: true, Words: []Param{{Name: "id", Kind: knownID}}, Args: []Param{at, within},
		Doc:     "waits until the command has begun in the browser: it was received, was neither refused nor busy, and its session had no other one running.",
		Example: "chrome started a2",
	},
	{
		Name: "starts", Of: Browser, Judges: true, Words: []Param{{Name: "id", Kind: knownID}, {Name: "times", Kind: size}},
		Doc: "that command has begun so many times up to now.", Example: "chrome starts a2 0",
	},
	{
		Name: "reply", Of: Browser, Reply: true, Words: []Param{{Name: "id", Kind: knownID}, okWord}, Args: with(replyBy, within),
		Doc:     "answers a command, which it first waits for. The command is answered as the extension does if it still runs there; otherwise, and on a later connection, a frame with its id is sent all the same.",
		Example: `chrome reply a1 data={"value":2}`,
	},
	{
		Name: "error", Of: Browser, Words: []Param{{Name: "id", Kind: knownID}, {Name: "code", Kind: code}}, Args: []Param{{Name: "message", Kind: text, Doc: "the message of the error"}, within},
		Doc: "is reply with error=.", Example: `chrome error a1 stale_ref message="@e4 is gone; take a new snapshot"`,
	},
	{
		Name: "release", Of: Browser, Words: []Param{{Name: "id", Kind: Kind{name: "ID|all"}}}, Args: []Param{within},
		Doc:     "lets the simulated pages answer a command, or all that run.",
		Example: "chrome release all",
	},
	{
		Name: "auto", Of: Browser, Args: []Param{{Name: "action", Kind: list, Doc: "these actions alone; all by default"}},
		Doc:     "lets the simulated pages answer every command that starts from now on.",
		Example: "chrome auto action=snapshot,navigate",
	},
	{
		Name: "hold", Of: Browser,
		Doc:     "ends auto: a command that starts is answered by a line of the tape alone, at the latest at the extension's own deadline, which comes before the daemon's. It is so from the beginning.",
		Example: "chrome hold",
	},
	{
		Name: "mute", Of: Browser, Words: []Param{{Name: "id", Kind: knownID}},
		Doc:     "never says anything about that command by itself, at the extension's own deadline neither. The tape may still reply.",
		Example: "chrome mute a1",
	},
	{
		Name: "busy", Of: Browser, Args: []Param{{Name: "times", Kind: repeated, Doc: "how many; 1 by default"}},
		Doc:     "answers the next command busy, without starting it. After 32 that wait in a session, the simulated browser does so by itself.",
		Example: "chrome busy times=2",
	},
	{
		Name: "late", Of: Browser, Reply: true, Words: []Param{{Name: "id", Kind: knownID}, okWord},
		Args:    with(replyBy, Param{Name: "after", Kind: wait, Required: true, Doc: "how much later, from this line on"}),
		Doc:     "says nothing about that command until its answer comes so much later, by itself, on whatever connection there is then.",
		Example: "chrome late a1 ok after=40s",
	},
	{
		Name: "replay", Of: Browser, Words: []Param{{Name: "id", Kind: knownID}}, Args: []Param{{Name: "times", Kind: repeated, Doc: "how often; 1 by default"}},
		Doc: "sends the answer that was sent last for that command once more.", Example: "chrome replay a1",
	},
	{
		Name: "wrong-connection", Of: Browser, Reply: true, Words: []Param{{Name: "id", Kind: knownID}, okWord},
		Args:    with(replyBy, Param{Name: "on", Kind: browser, Required: true, Doc: "the browser on whose connection"}, within),
		Doc:     "sends the answer to a command on the connection of another browser, and nothing on this one.",
		Example: "chrome wrong-connection a1 ok on=firefox",
	},
	{
		Name: "oversize", Of: Browser, Words: []Param{{Name: "id", Kind: knownID}}, Args: []Param{{Name: "bytes", Kind: size, Required: true, Doc: "the size of the whole message"}, within},
		Doc: "answers a command with one message of exactly so many bytes.", Example: "chrome oversize a1 bytes=33554433",
	},
	{
		Name: "garbage", Of: Browser, Words: []Param{{Name: "file", Kind: payload, Optional: true}}, Args: []Param{{Name: "bytes", Kind: size, Doc: "so many bytes of it"}},
		Doc: "sends a text message that is no JSON, or what a file holds.", Example: "chrome garbage bytes=100",
	},
	{
		Name: "frame", Of: Browser, Words: []Param{{Name: "frame", Kind: payload}},
		Doc: "sends a frame as it stands.", Example: `chrome frame {"type":"event","event":"tab_closed","session":"shop","tab":3}`,
	},
	{
		Name: "ask", Of: Browser, Words: []Param{{Name: "id", Kind: newID}, {Name: "action", Kind: action}}, Action: true,
		Args:    []Param{{Name: "session", Kind: text, Doc: "its session"}, {Name: "timeout", Kind: wait, Doc: "its timeout_ms"}},
		Doc:     "sends a request of the extension's own to the daemon; expect waits for its result.",
		Example: "chrome ask r1 sessions",
	},
	{Name: "ping", Of: Browser, Doc: "sends a ping beside those that the extension sends by itself.", Example: "chrome ping"},
	{
		Name: "close", Of: Browser, Words: []Param{{Name: "code", Kind: closeNo}}, Args: []Param{{Name: "reason", Kind: text, Doc: "the reason"}},
		Doc: "sends a close frame with any code, also one that must not be sent; 0 is a frame without one.", Example: `chrome close 1001 reason="going away"`,
	},
	{
		Name: "drop", Of: Browser, Words: []Param{{Name: "how", Kind: oneOf("fin", "rst")}, {Name: "unread", Kind: oneOf("unread"), Optional: true, Doc: "when the next command arrives, instead of reading it"}},
		Doc: "ends the connection without a close frame: by its end, or by a reset.", Example: "chrome drop rst unread",
	},
	{
		Name: "cut", Of: Browser, Args: []Param{{Name: "after", Kind: size, Required: true, Doc: "how many bytes still pass"}, ofWay, {Name: "by", Kind: oneOf("fin", "rst"), Doc: "how; fin by default"}},
		Doc: "cuts the connection after so many bytes, in the middle of whatever they are. They are counted from the last line that cuts or splits what goes that way.", Example: "chrome cut after=10 of=in",
	},
	{
		Name: "split", Of: Browser, Words: []Param{{Name: "bytes", Kind: seqno}}, Args: []Param{ofWay},
		Doc: "lets bytes pass in pieces of so many.", Example: "chrome split 1",
	},
	{Name: "heal", Of: Browser, Doc: "ends split, cut and busy.", Example: "chrome heal"},
	{Name: "stall", Of: Browser, Doc: "freezes the background with its socket open: nothing is read, sent or timed.", Example: "chrome stall"},
	{Name: "thaw", Of: Browser, Doc: "ends stall.", Example: "chrome thaw"},
	{Name: "deafen", Of: Browser, Doc: "reads nothing more, so that the daemon feels it; the extension's timers run on.", Example: "chrome deafen"},
	{Name: "listen", Of: Browser, Doc: "ends deafen.", Example: "chrome listen"},
	{
		Name: "suspend", Of: Browser,
		Doc:     "the browser stops the extension's background: the socket goes as the profile says, what waited or ran is forgotten, sessions and tabs stay. A browser that runs connects again at its next alarm.",
		Example: "firefox suspend",
	},
	{
		Name: "resume", Of: Browser, Args: with(helloBy, within),
		Doc: "the background starts again: join, with the sessions that it holds.", Example: "firefox resume",
	},
	{
		Name: "close-tab", Of: Browser, Words: []Param{{Name: "tab", Kind: seqno}},
		Doc: "the person closes a tab.", Example: "chrome close-tab 1",
	},
	{
		Name: "page", Of: Browser, Words: []Param{{Name: "file", Kind: file}}, Args: []Param{{Name: "url", Kind: text, Doc: "where it is found; every address by default"}},
		Doc: "puts the HTML of a file into the simulated pages. It stands before the browser's first connection.", Example: "chrome page shop.html url=http://shop.test/",
	},

	{
		Name: "send", Of: Agent, Words: []Param{{Name: "id", Kind: newID}, {Name: "method", Kind: method}, {Name: "path", Kind: target}, {Name: "body", Kind: payload, Optional: true}},
		Args: []Param{
			{Name: "bytes", Kind: size, Doc: "a body of so many bytes: a good command, with filler"},
			{Name: "token", Kind: oneOf("own", "none", "wrong"), Doc: "own by default"},
			{Name: "origin", Kind: text, Doc: "an Origin"},
			{Name: "host", Kind: text, Doc: "the Host"},
			{Name: "type", Kind: text, Doc: "the media type; application/json by default if there is a body"},
			{Name: "header", Kind: text, Repeats: true, Doc: `another header line, "Name: value"; several may be there`},
			{Name: "chunked", Kind: flag, Doc: "sends the body in chunks, without its length"},
			{Name: "times", Kind: repeated, Doc: "so many requests, whose ids are ID.1, ID.2 and so on"},
		},
		Doc:     "sends a request on a connection of its own. What it is answered, expect says.",
		Example: `agent send a1 POST /command {"action":"click","args":{"ref":"@e4"},"session":"shop"}`,
	},
	{
		Name: "do", Of: Agent, Words: []Param{{Name: "id", Kind: newID}, {Name: "action", Kind: action}}, Action: true,
		Args: []Param{
			{Name: "session", Kind: text, Doc: "its session"},
			{Name: "browser", Kind: text, Doc: "the browser that it names"},
			{Name: "timeout", Kind: wait, Doc: "its timeout_ms, in whole milliseconds"},
			{Name: "as", Kind: text, Doc: "the id that it has on the wire; none by default"},
			{Name: "times", Kind: repeated, Doc: "so many commands, whose ids are ID.1, ID.2 and so on"},
		},
		Doc:     "sends a command: the short form of send ID POST /command. Arguments of the action are written as text; those that are lists, with commas, or as JSON.",
		Example: "agent do a1 click ref=@e4 session=shop timeout=2s",
	},
	{
		Name: "expect", Of: Agent, Judges: true,
		Words: []Param{{Name: "id", Kind: knownID}, {Name: "ok", Kind: oneOf("ok", "no-answer", "pending"), Optional: true, Doc: "it must have succeeded; or the connection must have ended without an answer; or, pending, it must have no answer yet"}},
		Args:  answer,
		Doc:   "waits for the answer to a request of this agent.", Example: "agent expect a1 error=outcome_unknown delivered=unknown at=30s",
	},
	{
		Name: "expect nothing", Of: Agent, Judges: true, Args: []Param{{Name: "for", Kind: wait, Doc: "how long; no time at all if it is not said"}},
		Doc: "no answer has come that was not expected before, and none comes for so long.", Example: "agent expect nothing for=1s",
	},
	{
		Name: "hang-up", Of: Agent, Words: []Param{{Name: "id", Kind: knownID}},
		Doc: "closes the connection of a request.", Example: "agent hang-up a1",
	},

	{Name: "restart", Of: Daemon, Doc: "stops the daemon and starts it again, with the same address and directory.", Example: "daemon restart"},
	{Name: "stop", Of: Daemon, Doc: "asks the daemon to end, as SIGTERM does, and waits until it has.", Example: "daemon stop"},
	{Name: "kill", Of: Daemon, Doc: "ends the daemon without notice, as SIGKILL does. A daemon inside this process cannot be killed: it is stopped.", Example: "daemon kill"},
	{Name: "start", Of: Daemon, Doc: "starts the daemon again.", Example: "daemon start"},
}
