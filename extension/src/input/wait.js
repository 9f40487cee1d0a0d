import { Failure } from '../wire/failure.js';

/** @typedef {import('./actionable.js').Point} Point */
/** @typedef {{point: Point} | {not: string, what: string}} Look what a look at an element says: where it is, or why it cannot be acted on */

/** The time between two looks at an element, in milliseconds: a frame at first. */
const first = 16;
const most = 100;

/**
 * Waits until an element can be acted on: two looks, at least a frame apart, find it at the
 * same place. The clock is the background's: a page that nobody sees has slow ones.
 *
 * @param {() => Promise<Look>} look
 * @param {string} name of the element, as the command has it
 * @param {import('../wire/clock.js').Clock} clock
 * @param {number} within milliseconds
 * @returns {Promise<Point>}
 */
export async function ready(look, name, clock, within) {
  const end = clock.now() + within;
  /** @type {Point | null} */
  let last = null;
  for (let pause = first; ; pause = Math.min(pause * 1.5, most)) {
    const seen = await look();
    const point = 'point' in seen ? seen.point : null;
    if (point && last && last.x === point.x && last.y === point.y) return point;
    last = point;
    if (clock.now() + pause > end) {
      const why = 'not' in seen ? `${seen.what} cannot be acted on: ${seen.not}` : 'the element cannot be acted on: it keeps moving';
      throw new Failure('not_actionable', `${name}: ${why}`);
    }
    await new Promise((resolve) => clock.setTimeout(() => resolve(undefined), pause));
  }
}
