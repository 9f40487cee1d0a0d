// Package page is the pages of the simulated browser: HTML in, a DOM with live
// state, true effects out (KIT-09).
//
// Tabs holds what a browser and its extension hold: tabs and whose they are,
// history, open dialogs, cookies, network entries, console records. Do performs
// one action of the wire on them; the HTML comes from a Site. Whatever an action
// does to a page is an Effect and is counted.
//
// There is no script engine and no layout. An element is visible unless HTML, its
// style attribute or a style sheet of the page hides it (display and visibility
// are read, of media queries all and screen). A page that would do nothing by
// itself is not waited for: what cannot be acted on is refused at once.
//
// What a page does by script is said in one of three ways:
//
//   - by handlers that a real browser runs too, attributes on* and inline scripts,
//     as long as they are made of a few known calls: alert, confirm, prompt, open,
//     console.log and the like, location = "…", history.back(), document.title =
//     "…", return false, event.preventDefault(), setTimeout(() => …, ms), and on
//     this, this.form, getElementById or querySelector: hidden, disabled, checked,
//     open, textContent, innerHTML, value, style.display, remove(), click(),
//     focus(), submit(), requestSubmit(), reset(), showModal(), show(), close().
//     Any other code is named in the console and not run;
//   - by attributes of an element: data-sim-dialog ("confirm:Really?"),
//     data-sim-console ("error:Text"), data-sim-navigate, data-sim-html,
//     data-sim-show, data-sim-hide, data-sim-remove with data-sim-target (CSS) and
//     data-sim-after ("2s"), data-sim-prevent. They are about a click, the submit of
//     a form, the change of a field, the load of the body, or the event that
//     data-sim-on names; data-sim-beforeunload on the body asks before it is left;
//   - by Config.Rules, which need no change of the page.
//
// What an expression gives is said by Config.Values; see evaluate for those that
// are known without.
package page
