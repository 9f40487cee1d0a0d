import { isEditingHost, oneLine } from './role.js';

/** The states that ARIA names and an element may say for itself, true or mixed. */
const spoken = /** @type {const} */ (['checked', 'pressed', 'expanded', 'selected', 'invalid', 'readonly', 'required', 'current']);

/**
 * Returns the words for an element's states, in a fixed order.
 *
 * @param {Element} element
 * @param {string} role
 * @returns {string[]}
 */
export function statesOf(element, role) {
  const e = /** @type {any} */ (element);
  /** @type {Record<string, string | boolean | null>} */
  const states = {};
  for (const state of spoken) states[state] = element.getAttribute('aria-' + state);
  if (element.localName === 'input' && (e.type === 'checkbox' || e.type === 'radio')) states.checked = e.indeterminate ? 'mixed' : e.checked;
  if (element.localName === 'option') states.selected = e.selected;
  if (element.localName === 'summary') states.expanded = Boolean(e.parentElement?.open);
  if ('required' in e) states.required = e.required || states.required;
  if ('readOnly' in e && role !== 'checkbox' && role !== 'radio') states.readonly = e.readOnly || states.readonly;

  const words = [];
  if (role === 'heading') words.push(`level=${level(element)}`);
  if (isDisabled(element)) words.push('disabled');
  for (const state of spoken) {
    const value = states[state];
    if (value === true || value === 'true') words.push(state);
    else if (value === 'mixed') words.push(state + '=mixed');
    else if (state === 'expanded' && (value === false || value === 'false')) words.push('collapsed');
    else if (state === 'current' && value && value !== 'false') words.push(state);
    else if (state === 'invalid' && (value === 'grammar' || value === 'spelling')) words.push(state);
  }
  if (element === deepActive(element.ownerDocument)) words.push('focused');
  return words;
}

/** @param {Element} element */
function level(element) {
  return Number(element.getAttribute('aria-level')) || Number(/^h([1-6])$/.exec(element.localName)?.[1]) || 2;
}

/**
 * Whether an element takes no input: by itself, by a fieldset or by ARIA.
 *
 * @param {Element} element
 */
export function isDisabled(element) {
  if (element.matches(':disabled')) return true;
  return element.closest('[aria-disabled=true]') !== null;
}

/** The element that has the focus, through open shadow roots. @param {Document} document */
export function deepActive(document) {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active === document.body ? null : active;
}

/**
 * Returns what stands in an element that takes a value, or '' . A password's value is
 * never read.
 *
 * @param {Element} element
 * @param {string} role
 */
export function valueOf(element, role) {
  const e = /** @type {any} */ (element);
  switch (element.localName) {
    case 'input':
      if (e.type === 'password' || e.type === 'checkbox' || e.type === 'radio' || role === 'button') return '';
      return oneLine(e.value);
    case 'textarea':
      return oneLine(e.value);
    case 'select':
      return oneLine([...e.selectedOptions].map((o) => o.label).join(', '));
    case 'progress':
    case 'meter':
      return e.hasAttribute('value') ? String(e.value) : '';
  }
  if (role === 'textbox' && isEditingHost(element)) return oneLine(e.innerText);
  return element.getAttribute('aria-valuetext') ?? element.getAttribute('aria-valuenow') ?? '';
}
