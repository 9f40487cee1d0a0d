import { isDisabled } from '../snapshot/state.js';
import { hasBox } from '../snapshot/visible.js';
import { nameOf, roleOf } from '../snapshot/role.js';

/** @typedef {{x: number, y: number}} Point in CSS pixels of the tab's view */

/**
 * What an action asks of its element.
 *
 * @typedef {object} Wants
 * @property {boolean} [enabled]
 * @property {boolean} [editable]
 * @property {boolean} [uncovered] it is the one that a pointer at its middle meets
 */

/**
 * Says whether an element can be acted on now.
 *
 * @param {Element} element
 * @param {Wants} wants
 * @returns {{point: Point} | {not: string}}
 */
export function actionable(element, wants) {
  if (!hasBox(element)) return { not: 'it is not visible' };
  if (wants.enabled && isDisabled(element)) return { not: 'it is disabled' };
  if (wants.editable && /** @type {any} */ (element).readOnly) return { not: 'it is read-only' };
  element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
  const point = middle(element);
  if (!point) return { not: 'it is outside of what can be scrolled into view' };
  if (wants.uncovered) {
    const cover = covering(element, point);
    if (cover) return { not: `it is covered by ${describe(cover)}` };
  }
  return { point: inTab(element, point) };
}

/** The middle of the part of an element's first box that is in view, in pixels of its own document. @param {Element} element @returns {Point | null} */
function middle(element) {
  const view = /** @type {Window} */ (element.ownerDocument.defaultView);
  for (const box of element.getClientRects()) {
    const left = Math.max(box.left, 0);
    const top = Math.max(box.top, 0);
    const right = Math.min(box.right, view.innerWidth);
    const bottom = Math.min(box.bottom, view.innerHeight);
    if (right > left && bottom > top) return { x: (left + right) / 2, y: (top + bottom) / 2 };
  }
  return null;
}

/** What a pointer at point meets in the place of element, or null. @param {Element} element @param {Point} point */
function covering(element, point) {
  let root = /** @type {Document | ShadowRoot} */ (element.ownerDocument);
  let met = root.elementFromPoint(point.x, point.y);
  while (met?.shadowRoot && met !== element) {
    const deeper = met.shadowRoot.elementFromPoint(point.x, point.y);
    if (!deeper || deeper === met) break;
    met = deeper;
  }
  if (!met || belongs(met, element)) return null;
  return met;
}

/** Whether a pointer on met acts on element: below it, or its label. @param {Element} met @param {Element} element */
function belongs(met, element) {
  for (let e = /** @type {globalThis.Node | null} */ (met); e; e = e.parentNode ?? /** @type {any} */ (e).host ?? null) {
    if (e === element) return true;
    if (/** @type {any} */ (e).localName === 'label' && /** @type {HTMLLabelElement} */ (e).control === element) return true;
  }
  return false;
}

/** Adds the places of the frames that the element is in. @param {Element} element @param {Point} point @returns {Point} */
function inTab(element, point) {
  let { x, y } = point;
  for (let frame = element.ownerDocument.defaultView?.frameElement; frame; frame = frame.ownerDocument.defaultView?.frameElement) {
    const box = frame.getBoundingClientRect();
    x += box.left + frame.clientLeft;
    y += box.top + frame.clientTop;
  }
  return { x, y };
}

/** Names an element for a message. @param {Element} element */
export function describe(element) {
  const role = roleOf(element);
  const name = role ? nameOf(element).slice(0, 80) : '';
  const id = element.id ? '#' + element.id : '';
  return `<${element.localName}${id}>${name ? ` (${role} ${JSON.stringify(name)})` : ''}`;
}
