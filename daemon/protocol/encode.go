package protocol

// AppendTo appends the frame as one JSON object.
func (h *Hello) AppendTo(dst []byte) []byte {
	dst = appendString(append(dst, `{"type":"hello","browser":`...), string(h.Browser))
	dst = appendString(append(dst, `,"browser_version":`...), h.BrowserVersion)
	dst = appendString(append(dst, `,"extension_version":`...), h.ExtensionVersion)
	dst = append(dst, `,"sessions":[`...)
	for i, s := range h.Sessions {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, s)
	}
	if h.FileAccess {
		return append(dst, `],"file_access":true}`...)
	}
	return append(dst, `],"file_access":false}`...)
}

// AppendTo appends the frame as one JSON object.
func (w *Welcome) AppendTo(dst []byte) []byte {
	dst = appendString(append(dst, `{"type":"welcome","daemon_version":`...), w.DaemonVersion)
	return append(append(append(dst, `,"limits":`...), w.Limits...), '}')
}

// AppendTo appends the frame as one JSON object. Args are spliced as they are.
func (c *CommandFrame) AppendTo(dst []byte) []byte {
	dst = appendString(append(dst, `{"type":"command","id":`...), c.ID)
	dst = appendString(append(dst, `,"session":`...), c.Session)
	dst = appendString(append(dst, `,"action":`...), c.Action)
	dst = append(append(dst, `,"args":`...), c.Args...)
	dst = appendInt(append(dst, `,"deadline_ms":`...), c.DeadlineMS)
	return append(dst, '}')
}

// AppendTo appends the frame as one JSON object. Data is spliced as it is.
func (r *Result) AppendTo(dst []byte) []byte {
	dst = append(dst, `{"type":"result",`...)
	if r.Error != nil {
		return appendFailed(dst, r.ID, r.Error)
	}
	return appendOK(dst, r.ID, r.Data)
}

// The frames that say nothing but their type.
var (
	PingFrame = []byte(`{"type":"ping"}`)
	PongFrame = []byte(`{"type":"pong"}`)
)
