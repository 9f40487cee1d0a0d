import { isEditingHost, nameOf, oneLine, roleOf } from './role.js';
import { statesOf, valueOf } from './state.js';
import { visibility } from './visible.js';

/**
 * A node of a snapshot.
 *
 * @typedef {object} Node
 * @property {string} role
 * @property {string} name as it is written
 * @property {string} full the accessible name
 * @property {string[]} states
 * @property {string} value
 * @property {Element | null} element null for a piece of text
 * @property {Node[]} children
 */

/** The roles whose name is their text, so that the text is not written twice. */
const namedByContent = new Set([
  'button', 'cell', 'checkbox', 'columnheader', 'gridcell', 'heading', 'link', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option',
  'radio', 'rowheader', 'switch', 'tab', 'tooltip', 'treeitem',
]);

/** The roles that only hold others: the names of those, one after the other, say nothing new. */
const holders = new Set(['cell', 'columnheader', 'gridcell', 'row', 'rowheader']);

/** Elements that hold nothing for a reader. */
const silent = new Set(['script', 'style', 'template', 'noscript', 'head', 'meta', 'link', 'base', 'title']);

/**
 * Reads an element and what is below it.
 *
 * @param {Element} element
 * @returns {Node[]} its node, or those that stand in the place of one that has no role
 */
export function read(element) {
  if (silent.has(element.localName)) return [];
  const seen = visibility(element);
  if (seen === 'hidden') return [];
  const role = seen === 'shown' ? roleOf(element) : '';
  if (!role) return unsaid(merged(children(element)), labels(element));
  const full = nameOf(element);
  /** @type {Node} */
  const node = { role, name: full, full, states: statesOf(element, role), value: valueOf(element, role), element, children: inside(element, role) };
  if (namedByContent.has(role)) node.children = unsaid(node.children, full);
  if (holders.has(role) && node.children.some((child) => child.element !== null) && !isLabelled(element)) node.name = '';
  const only = node.children.length === 1 ? node.children[0] : null;
  if (only && only.element === null && !node.value) {
    node.value = only.name === full ? '' : only.name;
    node.children = [];
  }
  return [node];
}

/** Drops the text that a name says already. @param {Node[]} nodes @param {string} name */
function unsaid(nodes, name) {
  return name === '' ? nodes : nodes.filter((node) => node.element !== null || !name.includes(node.name));
}

/** The name that an element gives to another one, whose line says it. @param {Element} element */
function labels(element) {
  const named = element.localName === 'label' ? /** @type {HTMLLabelElement} */ (element).control : element.localName === 'legend' ? element.parentElement : null;
  return named && visibility(named) === 'shown' ? nameOf(named) : '';
}

/** @param {Element} element */
function isLabelled(element) {
  return element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby');
}

/**
 * @param {Element} element
 * @param {string} role
 */
function inside(element, role) {
  if (role === 'iframe') return frame(/** @type {HTMLIFrameElement} */ (element));
  if (role === 'img' || role === 'textbox' || role === 'searchbox') return [];
  if (element.localName === 'select') return merged(options(element));
  return merged(children(element));
}

/** @param {Element} select @returns {Node[]} */
function options(select) {
  return [...select.children].flatMap((child) => (child.localName === 'option' || child.localName === 'optgroup' ? read(child) : []));
}

/** @param {HTMLIFrameElement} element @returns {Node[]} */
function frame(element) {
  const root = element.contentDocument?.documentElement;
  return root ? read(root) : [text('(the frame is of another origin and was not read)')];
}

/** @param {Element} element @returns {Node[]} */
function children(element) {
  /** @type {Node[]} */
  const nodes = [];
  for (const child of childNodes(element)) {
    if (child.nodeType === 3) nodes.push(text(/** @type {Text} */ (child).data));
    else if (child.nodeType === 1) nodes.push(...read(/** @type {Element} */ (child)));
  }
  return nodes;
}

/** What is rendered below an element: its open shadow tree, what a slot shows, else its children. @param {Element} element @returns {Iterable<ChildNode | globalThis.Node>} */
function childNodes(element) {
  if (element.shadowRoot) return element.shadowRoot.childNodes;
  if (element.localName === 'slot') {
    const shown = /** @type {HTMLSlotElement} */ (element).assignedNodes();
    if (shown.length > 0) return shown;
  }
  return element.childNodes;
}

/** Joins pieces of text that follow each other and drops the empty ones. @param {Node[]} nodes */
function merged(nodes) {
  /** @type {Node[]} */
  const out = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (node.element === null && last && last.element === null) out[out.length - 1] = text(last.name + node.name);
    else out.push(node);
  }
  return out
    .map((node) => (node.element === null ? text(oneLine(node.name)) : node))
    .filter((node) => node.element !== null || node.name !== '');
}

/** @param {string} name @returns {Node} */
function text(name) {
  return { role: 'text', name, full: name, states: [], value: '', element: null, children: [] };
}

/** The roles that take input, or that an agent acts on. */
const interactive = new Set([
  'button', 'checkbox', 'combobox', 'gridcell', 'link', 'listbox', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'radio',
  'searchbox', 'slider', 'spinbutton', 'switch', 'tab', 'textbox', 'treeitem', 'iframe',
]);

/** @param {Node} node */
export function isInteractive(node) {
  if (node.element === null) return false;
  return interactive.has(node.role) || isEditingHost(node.element) || Number(node.element.getAttribute('tabindex') ?? -1) >= 0;
}
