import { computeAccessibleName, getRole } from 'dom-accessibility-api';

/** The roles that are written as if they were not there: their children stand in their place. */
const none = new Set(['generic', 'none', 'presentation', 'legend', 'document']);

/** Sectioning elements: a header or footer in one is no landmark. */
const sections = 'article, aside, main, nav, section';

/** What HTML-AAM says and the library leaves out, by local name. @type {Record<string, (element: any) => string>} */
const own = {
  p: () => 'paragraph',
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
  const role = element.hasAttribute('role') ? getRole(element) : (own[element.localName]?.(element) ?? getRole(element));
  if (role && !none.has(role)) return role;
  if (isEditingHost(element)) return 'textbox';
  return '';
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
