package protocol

import "net/http"

// Code is one of the closed list of error codes of omw.v1.
type Code string

// The codes. Every code but OutcomeUnknown is definite: what was asked did not
// happen, or happened and failed in the way that the code says.
const (
	BadRequest       Code = "bad_request"
	Unauthorized     Code = "unauthorized"
	Forbidden        Code = "forbidden"
	NotFound         Code = "not_found"
	MethodNotAllowed Code = "method_not_allowed"
	RequestTimeout   Code = "request_timeout"
	Conflict         Code = "conflict"
	TooLarge         Code = "too_large"
	UnsupportedMedia Code = "unsupported_media"
	Busy             Code = "busy"
	NotConnected     Code = "not_connected"
	SessionBound     Code = "session_bound"
	SessionClosed    Code = "session_closed"
	TabTaken         Code = "tab_taken"
	TabGone          Code = "tab_gone"
	NoTab            Code = "no_tab"
	DialogOpen       Code = "dialog_open"
	DebuggerConflict Code = "debugger_conflict"
	StaleRef         Code = "stale_ref"
	NotActionable    Code = "not_actionable"
	NavigationFailed Code = "navigation_failed"
	Unsupported      Code = "unsupported"
	Permission       Code = "permission"
	FileExists       Code = "file_exists"
	FileError        Code = "file_error"
	PageError        Code = "page_error"
	OutcomeUnknown   Code = "outcome_unknown"
	Internal         Code = "internal"
)

// Codes lists every code, in the order of the wire's page.
var Codes = [...]Code{
	BadRequest, Unauthorized, Forbidden, NotFound, MethodNotAllowed, RequestTimeout, Conflict, TooLarge,
	UnsupportedMedia, Busy, NotConnected, SessionBound, SessionClosed, TabTaken, TabGone, NoTab, DialogOpen,
	DebuggerConflict, StaleRef, NotActionable, NavigationFailed, Unsupported, Permission, FileExists, FileError,
	PageError, OutcomeUnknown, Internal,
}

// Known reports whether c is of the closed list.
func (c Code) Known() bool {
	for _, k := range Codes {
		if k == c {
			return true
		}
	}
	return false
}

// Definite reports whether an error with this code says what happened. Only
// OutcomeUnknown does not, and only then must nobody send the command again
// by itself (CMD-12).
func (c Code) Definite() bool { return c != OutcomeUnknown }

// Status returns the HTTP status of a refusal of the gate with this code.
// Behind the gate the status of /command is 200 whatever came of it, so that
// no proxy ever repeats an uncertain command by its status.
func (c Code) Status() int {
	switch c {
	case BadRequest:
		return http.StatusBadRequest
	case Unauthorized:
		return http.StatusUnauthorized
	case Forbidden:
		return http.StatusForbidden
	case NotFound:
		return http.StatusNotFound
	case MethodNotAllowed:
		return http.StatusMethodNotAllowed
	case RequestTimeout:
		return http.StatusRequestTimeout
	case Conflict:
		return http.StatusConflict
	case TooLarge:
		return http.StatusRequestEntityTooLarge
	case UnsupportedMedia:
		return http.StatusUnsupportedMediaType
	case Busy, NotConnected:
		return http.StatusServiceUnavailable
	default:
		return http.StatusInternalServerError
	}
}
