// Package gate decides who may come in. It looks at a request's Host, Origin,
// token, path, method and media type, in that order and before its body is
// read, and it holds the pairing code and the slots that bound what is served
// at a time.
//
// It answers nothing itself: a refusal is a *protocol.Error for the HTTP layer
// to write, and the headers that every answer must carry are set by then.
package gate
