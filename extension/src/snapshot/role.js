import { computeAccessibleName, getRole } from 'dom-accessibility-api';

/** The roles that are written as if they were not there: their children stand in their place. */
const none = new Set(['generic', 'none', 'presentation', 'legend', 'document']);

/** Sectioning elements: a header or footer in one is no landmark. */
const sections = 'article, aside, main, nav, section';

/** The roles of ARIA 1.2; other words in a role attribute are passed over. */
const known = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo
  definition deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox
  listitem log main marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation
  progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript
  superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem`.split(/\s+/),
);

/** Attributes that keep an element from being presentational (WAI-ARIA 1.2, 8.5). */
const global = ['atomic', 'busy', 'controls', 'current', 'describedby', 'details', 'dropeffect', 'flowto', 'grabbed', 'keyshortcuts', 'label',
  'labelledby', 'live', 'owns', 'relevant', 'roledescription'].map((name) => `[aria-${name}]`).join(', ');

/** Roles of words in a text: what they hold stands in their place. */
const inline = new Set(['caption', 'code', 'deletion', 'emphasis', 'insertion', 'strong', 'subscript', 'superscript', 'time']);

/** What HTML-AAM says and the library leaves out, by local name. @type {Record<string, (element: any) => string>} */
const own = {
  p: () => 'paragraph',
  address: () => 'group',
  hgroup: () => 'group',
  meter: () => 'meter',
  search: () => 'search',
  li: (e) => (e.parentElement?.matches('ul, ol, menu') ? 'listitem' : ''),
  summary: (e) => (e.parentElement?.localName === 'details' && e.parentElement.querySelector(':scope > summary') === e ? 'button' : ''),
  blockquote: () => 'blockquote',
  iframe: () => 'iframe',
  frame: () => 'iframe',
  header: (e) => (e.parentElement?.closest(sections) ? '' : 'banner'),
  footer: (e) => (e.parentElement?.closest(sections) ? '' : 'contentinfo'),
  section: (e) => (nameOf(e) ? 'region' : ''),
  form: (e) => (nameOf(e) ? 'form' : ''),
  th: (e) => (e.scope === 'row' || e.scope === 'rowgroup' ? 'rowheader' : 'columnheader'),
  svg: (e) => (nameOf(e) ? 'img' : ''),
  input: (e) => inputRoles[e.type] ?? (getRole(e) || 'textbox'),
};

/** Inputs that HTML-AAM gives no role of ARIA. @type {Record<string, string>} */
const inputRoles = { hidden: '', file: 'button', color: 'button' };

/**
 * Returns the role of an element, or '' if it has none worth a line.
 *
 * @param {Element} element
 * @returns {string}
 */
export function roleOf(element) {
  const said = spoken(element);
  if (said && said !== 'none' && said !== 'presentation') return none.has(said) ? '' : said;
  if (said && !element.matches(global) && /** @type {HTMLElement} */ (element).tabIndex < 0) return '';
  const role = own[element.localName]?.(element) ?? implicit(element);
  if (role && !none.has(role) && !inline.has(role)) return role;
  return isEditingHost(element) ? 'textbox' : '';
}

/** The first role that an element names and ARIA knows. @param {Element} element */
function spoken(element) {
  const words = element.getAttribute('role')?.toLowerCase().split(/\s+/) ?? [];
  const role = words.find((word) => known.has(word) || word === 'image');
  return role === 'image' ? 'img' : role;
}

/** The role that the element has by itself: the library would take what its attribute says. @param {Element} element */
function implicit(element) {
  return getRole(element.hasAttribute('role') ? /** @type {Element} */ (bare(element)) : element);
}

/** The element without its role, for a look at it. @param {Element} element */
function bare(element) {
  const copy = /** @type {Element} */ (element.cloneNode(false));
  copy.removeAttribute('role');
  return copy;
}

/** @param {Element} element */
export function isEditingHost(element) {
  const editable = element.getAttribute('contenteditable');
  return editable !== null && editable !== 'false' && /** @type {HTMLElement} */ (element).isContentEditable;
}

/**
 * Returns the accessible name of an element, on one line.
 *
 * @param {Element} element
 */
export function nameOf(element) {
  return oneLine(computeAccessibleName(element));
}

/** @param {string} text */
export function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}
