package protocol

// Meaning says in a few words what happened. The message of an error says more.
func (c Code) Meaning() string {
	switch c {
	case BadRequest:
		return "the request breaks the protocol; the message says what and where"
	case Unauthorized:
		return "the token is missing or wrong, or the pairing code is not valid"
	case Forbidden:
		return "the Host, the Origin or the kind of request is not let in, whatever the token"
	case NotFound:
		return "there is nothing at this path"
	case MethodNotAllowed:
		return "the path does not take this method; Allow lists those it takes"
	case RequestTimeout:
		return "the body did not arrive in time"
	case Conflict:
		return "the id is pending in its session already, or that browser is connected already"
	case TooLarge:
		return "a body, the files of an upload, or a result passes its limit"
	case UnsupportedMedia:
		return "the body says that it is no JSON"
	case Busy:
		return "a limit is reached; nothing was sent, so it may be sent again later"
	case NotConnected:
		return "the extension is not connected, or the daemon is shutting down; nothing was sent"
	case SessionBound:
		return "the session belongs to the other browser"
	case SessionClosed:
		return "the command was waiting when its session was closed; it did not run"
	case TabTaken:
		return "the tab belongs to another session"
	case TabGone:
		return "the tab does not exist any more"
	case NoTab:
		return "the session has no tab yet; navigate opens one"
	case DialogOpen:
		return "a dialog of the page is open; answer it with dialog first"
	case DebuggerConflict:
		return "another debugger, or a frame of another extension, keeps the tab from being driven"
	case StaleRef:
		return "the element that the reference named is not what it was; take a snapshot"
	case NotActionable:
		return "the element is hidden, disabled or covered; the message says by what"
	case NavigationFailed:
		return "the page could not be loaded"
	case Unsupported:
		return "this browser has no equivalent"
	case Permission:
		return "the person has to grant something; the message says what and where"
	case FileExists:
		return "there is something at the path, and nothing is ever overwritten"
	case FileError:
		return "a file cannot be read or written; the message says why"
	case PageError:
		return "the page's code ran and threw"
	case OutcomeUnknown:
		return "nobody knows whether it ran; look before you send it again"
	case Internal:
		return "the daemon failed in a way it did not foresee"
	}
	return ""
}
