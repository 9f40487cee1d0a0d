package gate

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/oh-my-webbridge/omw/daemon/protocol"
)

const loopback = "127.0.0.1"

// checkTarget refuses a request that was not addressed to 127.0.0.1 by that
// name (AUTH-12). A page whose own name was made to resolve to 127.0.0.1 sends
// its name, and that is all that tells it from an agent. In the absolute form
// of a target the library takes the Host from the target and drops the header,
// so that form is refused, and with it the forms of OPTIONS * and CONNECT.
func checkTarget(r *http.Request) *protocol.Error {
	if !strings.HasPrefix(r.RequestURI, "/") {
		return protocol.Errorf(protocol.Forbidden, "the request's target must be a path; address the daemon as %s directly, without a proxy", loopback)
	}
	if !isLoopback(r.Host) {
		return protocol.Errorf(protocol.Forbidden, "the Host must be %s, with or without a port; no other name of this machine is served", loopback)
	}
	return nil
}

// isLoopback reports whether host is 127.0.0.1 alone or with a port from 1 to
// 65535 in plain digits. The port is not compared with ours: a forwarded port
// is a normal use.
func isLoopback(host string) bool {
	port, found := strings.CutPrefix(host, loopback)
	if !found || port == "" {
		return found
	}
	digits, found := strings.CutPrefix(port, ":")
	if !found || digits == "" || digits[0] < '1' || digits[0] > '9' {
		return false
	}
	_, err := strconv.ParseUint(digits, 10, 16)
	return err == nil
}
