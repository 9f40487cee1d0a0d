import { actionable, describe } from './actionable.js';
import { locate, Refusal } from './locate.js';

/** How long a frame is waited for, in milliseconds: a page that is drawn for nobody may give none. */
const frame = 100;

/**
 * Waits until an element can be acted on: it is there, visible, at the same place in two
 * frames, and what else wants names. What is wrong at the end of the time is the
 * reason of the refusal.
 *
 * @param {{ref?: string, selector?: string}} target
 * @param {import('../snapshot/references.js').References} references
 * @param {import('./actionable.js').Wants} wants
 * @param {number} within milliseconds
 * @returns {Promise<{element: Element, point: import('./actionable.js').Point}>}
 */
export async function ready(target, references, wants, within) {
  const end = performance.now() + within;
  /** @type {import('./actionable.js').Point | null} */
  let last = null;
  for (;;) {
    const element = locate(target, references);
    /** @type {ReturnType<typeof actionable>} */
    const state = element ? actionable(element, wants) : { not: 'nothing matches it' };
    if (element && 'point' in state && last && last.x === state.point.x && last.y === state.point.y) return { element, point: state.point };
    if (performance.now() >= end) {
      const what = element ? describe(element) : target.selector;
      const why = 'not' in state ? state.not : 'it keeps moving';
      throw new Refusal('not_actionable', `${target.ref ?? target.selector}, ${what}, cannot be acted on: ${why}`);
    }
    last = 'point' in state ? state.point : null;
    await nextFrame();
  }
}

/** @returns {Promise<void>} */
function nextFrame() {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, frame);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
