import { actionable, describe } from '../input/actionable.js';
import { prepare } from '../input/edit.js';
import { locate, Refusal } from '../input/locate.js';
import { References } from '../snapshot/references.js';
import { write } from '../snapshot/text.js';
import { read } from '../snapshot/walk.js';

/**
 * The page script: one for both browsers, injected on demand into a world of its own,
 * where it keeps the references of this document. The page sees neither it nor
 * what it does.
 */

/** By session, since a tab may pass from one to another. @type {Map<string, References>} */
const tables = new Map();

/** @param {{session: string, references: number}} args */
function table({ session, references }) {
  let known = tables.get(session);
  if (!known) tables.set(session, (known = new References(references)));
  known.atLeast(references);
  return known;
}

/** @type {Record<string, (args: any) => unknown>} */
const functions = {
  /** Reads the page, or an element of it. */
  snapshot(args) {
    const references = table(args);
    const named = args.ref ?? args.selector;
    const root = named === undefined ? document.documentElement : locate(args, references);
    if (!root) throw new Refusal('not_actionable', `nothing matches ${JSON.stringify(named)}`);
    const written = write(read(root), {
      interactive: args.interactive === true,
      number: (node) => references.number(/** @type {Element} */ (node.element), node.role, node.full),
    });
    return { ...written, url: location.href, title: document.title, references: references.given };
  },

  /** Says where an element can be acted on, or why it cannot be now. CSS that matches nothing yet may still do. */
  look(args) {
    const element = locate(args.target, table(args));
    if (!element) return { what: 'no element', not: 'nothing matches it' };
    const state = actionable(element, args.wants);
    return 'not' in state ? { ...state, what: describe(element) } : state;
  },

  /** Puts the focus into an element and makes room for the text. */
  prepare(args) {
    const element = locate(args.target, table(args));
    if (!element) throw new Refusal('not_actionable', `nothing matches ${JSON.stringify(args.target.selector)}`);
    return prepare(element, args.text, args.mode);
  },

  /** Puts the focus on an element. */
  focus(args) {
    const element = /** @type {HTMLElement | null} */ (locate(args.target, table(args)));
    if (!element) throw new Refusal('not_actionable', `nothing matches ${JSON.stringify(args.target.selector)}`);
    element.focus();
    return {};
  },

  /** The box of an element in the coordinates of the whole page. */
  box(args) {
    const element = locate(args.target, table(args));
    if (!element) throw new Refusal('not_actionable', `nothing matches ${JSON.stringify(args.target.selector)}`);
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) throw new Refusal('not_actionable', 'the element is not visible, so that there is nothing to take a picture of');
    return { x: left + scrollX, y: top + scrollY, width, height };
  },

  where() {
    return { url: location.href, title: document.title };
  },

  /** Resolves behind what the page has queued for itself so far. */
  settle() {
    return new Promise((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        channel.port1.close();
        resolve({});
      };
      channel.port2.postMessage(null);
    });
  },
};

/** @type {any} */ (globalThis).omwPage = {
  /**
   * @param {string} name
   * @param {any} args
   * @returns {Promise<string>} JSON, {"ok": ...} or {"failure": {code, message}}
   */
  async call(name, args) {
    try {
      return JSON.stringify({ ok: await functions[name](args) });
    } catch (error) {
      if (error instanceof Refusal) return JSON.stringify({ failure: { code: error.code, message: error.message } });
      throw error;
    }
  },
};
