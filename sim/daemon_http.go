package sim

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
	"github.com/oh-my-webbridge/omw/sim/memnet"
)

// Asked is one HTTP request that reached a Daemon.
type Asked struct {
	// At is when its head and body had been read.
	At time.Time
	// Contact is the number of the connection that it came on.
	Contact int
	Method  string
	// Target is the request target as it stood in the request line.
	Target string
	Host   string
	Header http.Header
	Body   []byte
	// Status is what it was answered, 0 while it was not.
	Status int
}

// Upgrades reports whether the request asks for a WebSocket.
func (a *Asked) Upgrades() bool {
	return a.Method == http.MethodGet && strings.EqualFold(a.Header.Get("Upgrade"), "websocket")
}

// Path returns the target without its query.
func (a *Asked) Path() string {
	path, _, _ := strings.Cut(a.Target, "?")
	return path
}

// answer is what a Daemon says to a request.
type answer struct {
	status int
	body   string
	// upgrade: the answer is that of a WebSocket. cut ends the connection instead,
	// silent keeps it open and says nothing.
	upgrade, cut, silent bool
}

// bodyLimit is how much of a request's body is read.
const bodyLimit = 1 << 20

// converse answers the requests of a connection, and serves the WebSocket that
// it becomes.
func (d *Daemon) converse(c *memnet.Faulty, n int) {
	r := bufio.NewReaderSize(c, 64<<10)
	for {
		req, err := http.ReadRequest(r)
		if err != nil {
			return
		}
		body, err := io.ReadAll(io.LimitReader(req.Body, bodyLimit))
		if err != nil {
			return
		}
		at := d.record(Asked{
			At: time.Now(), Contact: n, Method: req.Method, Target: req.RequestURI, Host: req.Host, Header: req.Header, Body: body,
		})
		asked := d.Requests()[at]
		a := d.decide(&asked)
		switch {
		case a.cut:
			return
		case a.silent:
			<-d.stop.Done()
			return
		}
		var out bytes.Buffer
		d.write(&out, &asked, a)
		if _, err := c.Write(out.Bytes()); err != nil {
			return
		}
		d.answered(at, a.status)
		if a.upgrade {
			d.socket(c, r, &asked)
			return
		}
		if req.Close {
			return
		}
	}
}

func (d *Daemon) record(a Asked) (at int) {
	d.mu.Lock()
	at = len(d.asked)
	d.asked = append(d.asked, a)
	d.contacts[a.Contact-1].Last = a.At
	d.mu.Unlock()
	d.trace(0, In, "http", fmt.Appendf(nil, "%s %s Origin: %s", a.Method, a.Target, a.Header.Get("Origin")))
	return at
}

func (d *Daemon) answered(at, status int) {
	d.mu.Lock()
	d.asked[at].Status = status
	d.contacts[d.asked[at].Contact-1].Last = time.Now()
	d.mu.Unlock()
	d.trace(0, Out, "http", strconv.AppendInt(nil, int64(status), 10))
}

// decide says what a request gets.
func (d *Daemon) decide(a *Asked) answer {
	m := d.Manners()
	switch {
	case a.Method == http.MethodOptions:
		return answer{status: http.StatusNoContent}
	case a.Method == http.MethodGet && a.Path() == "/ping":
		return d.ping(a, m.Ping)
	case a.Method == http.MethodPost && a.Path() == "/pair":
		return d.pair(a)
	case a.Path() != "/extension":
		return failed(http.StatusNotFound, protocol.NotFound)
	case a.Upgrades():
		switch {
		case m.CutUpgrade:
			return answer{cut: true}
		case m.RefuseSocket != 0:
			return failed(m.RefuseSocket, protocol.Conflict)
		}
		return d.door(d.holdsProtocol(a), m, answer{status: http.StatusSwitchingProtocols, upgrade: true})
	case a.Method == http.MethodPost:
		return d.door(a.Header.Get("Authorization") == "Bearer "+d.cfg.Token, m, answer{status: http.StatusNoContent})
	}
	return failed(http.StatusMethodNotAllowed, protocol.MethodNotAllowed)
}

func (d *Daemon) door(token bool, m Manners, open answer) answer {
	switch {
	case m.Refuse != 0:
		return failed(m.Refuse, protocol.Conflict)
	case !token:
		return failed(http.StatusUnauthorized, protocol.Unauthorized)
	}
	return open
}

// holdsProtocol reports whether the upgrade offers omw.v1 and the token.
func (d *Daemon) holdsProtocol(a *Asked) bool {
	var version, token bool
	for _, p := range a.Protocols() {
		version = version || p == protocol.Version
		token = token || p == protocol.TokenProtocol+d.cfg.Token
	}
	return version && token
}

// Protocols returns the subprotocols that an upgrade offers, in order.
func (a *Asked) Protocols() []string {
	var all []string
	for _, line := range a.Header.Values("Sec-WebSocket-Protocol") {
		for p := range strings.SplitSeq(line, ",") {
			all = append(all, strings.TrimSpace(p))
		}
	}
	return all
}

func failed(status int, code protocol.Code) answer {
	return answer{status: status, body: string(protocol.AppendError(nil, "", &protocol.Error{Code: code, Message: "refused", Delivered: protocol.DeliveredNo}))}
}

func (d *Daemon) ping(a *Asked, how Ping) answer {
	_, query, _ := strings.Cut(a.Target, "?")
	nonce, asks := strings.CutPrefix(query, "nonce=")
	proof := strconv.Quote(protocol.Proof(d.cfg.Token, nonce))
	switch how {
	case PingSilent:
		return answer{silent: true}
	case PingNotFound:
		return failed(http.StatusNotFound, protocol.NotFound)
	case PingGarbage:
		return answer{status: http.StatusOK, body: "<html>it works</html>"}
	case PingWrongProof:
		proof = strconv.Quote(protocol.Proof("not "+d.cfg.Token, nonce))
	case PingOldProof:
		proof = strconv.Quote(protocol.Proof(d.cfg.Token, strings.Repeat("A", 22)))
	case PingEmptyProof:
		proof = `""`
	case PingEcho:
		proof = strconv.Quote(nonce)
	case PingOtherType:
		proof = "1"
	}
	body := `{"name":"omw","version":"1.0.0","protocol":"` + protocol.Version + `"`
	if asks && how != PingNoProof {
		body += `,"proof":` + proof
	}
	return answer{status: http.StatusOK, body: body + "}"}
}

// pair redeems the code, whoever asks: what a daemon must check of the asker is
// not this one's concern.
func (d *Daemon) pair(a *Asked) answer {
	var wish struct {
		Code string `json:"code"`
	}
	if json.Unmarshal(a.Body, &wish) != nil || d.cfg.Code == "" || wish.Code != d.cfg.Code {
		return failed(http.StatusUnauthorized, protocol.Unauthorized)
	}
	return answer{status: http.StatusOK, body: `{"token":` + strconv.Quote(d.cfg.Token) + `}`}
}

// write writes an answer. An extension's script may read it: it carries the
// Origin, as those of a daemon do.
func (d *Daemon) write(out *bytes.Buffer, a *Asked, w answer) {
	fmt.Fprintf(out, "HTTP/1.1 %d %s\r\n", w.status, http.StatusText(w.status))
	header := http.Header{"Cache-Control": {"no-store"}, "X-Content-Type-Options": {"nosniff"}}
	if origin := a.Header.Get("Origin"); origin != "" {
		header.Set("Access-Control-Allow-Origin", origin)
	}
	if a.Method == http.MethodOptions {
		header.Set("Access-Control-Allow-Methods", "GET, POST")
		header.Set("Access-Control-Allow-Headers", "authorization, content-type")
		if a.Header.Get("Access-Control-Request-Private-Network") == "true" {
			header.Set("Access-Control-Allow-Private-Network", "true")
		}
	}
	if w.upgrade {
		header.Set("Upgrade", "websocket")
		header.Set("Connection", "Upgrade")
		header.Set("Sec-WebSocket-Accept", acceptKey(a.Header.Get("Sec-WebSocket-Key")))
		header.Set("Sec-WebSocket-Protocol", protocol.Version)
	} else if w.status != http.StatusNoContent {
		header.Set("Content-Type", "application/json")
		header.Set("Content-Length", strconv.Itoa(len(w.body)))
	}
	_ = header.Write(out) // A buffer takes everything.
	out.WriteString("\r\n" + w.body)
}

// acceptKey is the proof of RFC 6455, section 4.2.2.
func acceptKey(key string) string {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// trace hands an event to the configured function, if there is one.
func (d *Daemon) trace(socket int, dir Dir, kind string, frame []byte) {
	if d.cfg.Trace == nil {
		return
	}
	if t := d.cfg.Token; t != "" && bytes.Contains(frame, []byte(t)) {
		frame = bytes.ReplaceAll(frame, []byte(t), []byte("<token>"))
	}
	d.cfg.Trace(TraceEvent{At: time.Now(), Conn: socket, Dir: dir, Kind: kind, Frame: frame})
}
