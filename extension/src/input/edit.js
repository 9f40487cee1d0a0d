import { isEditingHost } from '../snapshot/role.js';
import { Refusal } from './locate.js';
import { describe } from './actionable.js';

/** Inputs into which no text can be typed but whose value can be set. */
const settable = new Set(['date', 'time', 'datetime-local', 'month', 'week', 'color', 'range']);

/** Inputs that take no text at all. */
const textless = new Set(['checkbox', 'radio', 'file', 'button', 'submit', 'reset', 'image', 'hidden']);

/**
 * Puts the focus into an element that takes text and selects what the new text
 * replaces. What has no text to select gets its value at once.
 *
 * @param {Element} element
 * @param {string} text
 * @param {'replace'|'append'} mode
 * @returns {{inserted: boolean}} true if nothing is left to be typed
 */
export function prepare(element, text, mode) {
  const field = /** @type {any} */ (element);
  const input = element.localName === 'input';
  if (input && settable.has(field.type)) {
    set(field, text);
    return { inserted: true };
  }
  const textual = (input && !textless.has(field.type)) || element.localName === 'textarea';
  if (!textual && !field.isContentEditable) {
    throw new Refusal('not_actionable', `${describe(element)} takes no text`);
  }
  field.focus();
  if (textual) {
    selectText(field, mode);
  } else {
    const host = isEditingHost(element) ? element : (element.closest('[contenteditable]') ?? element);
    const range = document.createRange();
    range.selectNodeContents(host);
    if (mode === 'append') range.collapse(false);
    const selection = /** @type {Selection} */ (element.ownerDocument.getSelection());
    selection.removeAllRanges();
    selection.addRange(range);
  }
  return { inserted: false };
}

/**
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {'replace'|'append'} mode
 */
function selectText(field, mode) {
  if (mode === 'replace') {
    field.select();
    return;
  }
  try {
    field.setSelectionRange(field.value.length, field.value.length);
  } catch {
    // number and email have no selection for scripts; they end up behind their text when selected and left.
    field.select();
    field.ownerDocument.getSelection()?.collapseToEnd();
  }
}

/**
 * Sets a value as the page's own code would see it come from a person; the events are
 * not trusted.
 *
 * @param {HTMLInputElement} field
 * @param {string} value
 */
function set(field, value) {
  field.focus();
  const before = field.value;
  field.value = value;
  if (field.value !== value && value !== '') {
    const kept = field.value;
    field.value = before;
    throw new Refusal('bad_request', `${JSON.stringify(value)} is no value of an input of type ${field.type}${kept ? '; it takes ' + kept : ''}`);
  }
  field.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}
