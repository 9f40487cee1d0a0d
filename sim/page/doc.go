// Package page is the pages of the simulated browser: HTML in, a DOM with live
// state, true effects out (KIT-09).
//
// Tabs holds what a browser and its extension hold: tabs and whose they are,
// history, open dialogs, cookies, network entries, console records. Do performs
// one action of the wire on them; the HTML comes from a Site. Whatever an action
// does to a page is an Effect and is counted.
//
// There is no script engine and no layout. What a page does by script is said in
// its HTML (attributes on* with one of a few known calls, data-sim-*) or by
// Config.Rules; what an expression gives by Config.Values. An element is visible
// unless HTML, its style attribute or a style sheet of the page hides it.
package page
