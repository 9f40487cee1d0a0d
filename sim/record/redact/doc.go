// Package redact removes from what went over the wire everything that is nobody
// else's business, and leaves what a bug is made of.
//
// Removed are: tokens and pairing codes, wherever they stand; what was typed (the
// text of type, fill and dialog, keys that are characters); the values of cookies
// and of header rules; passwords in URLs and parameters of URLs whose names say
// that they are secret; the bodies of network entries; the bytes of uploads,
// pictures and PDFs; the directories of downloads; and what of these a cdp command holds under a name that says
// so.
//
// A text of at least four characters that was removed in one place is removed
// wherever else it stands too, as it is or as URLs, HTML and JSON write it: a page
// shows what was typed into it. Shorter ones would take half the tape with them.
//
// In their place stands a text of as many bytes, so that sizes stay true, and the
// same one for the same secret, so that what was equal stays equal.
//
// What stays: the addresses, titles and texts of pages, the options that select
// chooses, the code of evaluate and its value, selectors, session names. Whoever
// gives a tape away should know that.
package redact
