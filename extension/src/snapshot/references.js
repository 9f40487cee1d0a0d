import { nameOf, roleOf } from './role.js';

/**
 * The references that the snapshots of a session named in this document. One is good
 * while its node is in the document and has the role and the name that it was
 * shown with; it is never given to another node (TAB-04).
 */
export class References {
  /** @type {Map<number, {node: WeakRef<Element>, role: string, name: string}>} */
  #entries = new Map();
  /** @type {WeakMap<Element, number>} */
  #numbers = new WeakMap();
  #given;

  /** @param {number} given how many references the session has given so far */
  constructor(given) {
    this.#given = given;
  }

  get given() {
    return this.#given;
  }

  /** Counts on from what the session gave in other documents. @param {number} given */
  atLeast(given) {
    this.#given = Math.max(this.#given, given);
  }

  /**
   * Returns the number of a node: the one it had, if it was shown the same.
   *
   * @param {Element} node
   * @param {string} role
   * @param {string} name
   */
  number(node, role, name) {
    const had = this.#numbers.get(node);
    const entry = had === undefined ? undefined : this.#entries.get(had);
    if (had !== undefined && entry?.role === role && entry.name === name) return had;
    const number = ++this.#given;
    this.#numbers.set(node, number);
    this.#entries.set(number, { node: new WeakRef(node), role, name });
    return number;
  }

  /**
   * Returns the node of a reference, or why there is none any more.
   *
   * @param {number} number
   * @returns {{node: Element} | {stale: string}}
   */
  find(number) {
    const entry = this.#entries.get(number);
    if (!entry) {
      if (number > this.#given) return { stale: 'no snapshot of this session has named it' };
      return { stale: 'the page that it was on is gone: the tab has navigated or was loaded again' };
    }
    const node = entry.node.deref();
    const was = said(entry.role, entry.name);
    if (!node?.isConnected) return { stale: `the element was removed from the page; it was ${was}` };
    const now = said(roleOf(node), nameOf(node));
    if (now !== was) return { stale: `the element is ${now} now; it was ${was}` };
    return { node };
  }
}

/**
 * @param {string} role
 * @param {string} name
 */
function said(role, name) {
  return name ? `${role} ${JSON.stringify(name)}` : role || 'without a role';
}
