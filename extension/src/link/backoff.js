import { limits } from '../wire/limits.js';

/**
 * Counts the tries to connect that failed in a row and says how long to wait
 * before the next (LIFE-04): with d = min(most, least x 2^n) after the n-th, from
 * 0, uniform in [max(least, d/2), d].
 */
export class Backoff {
  #failed = 0;
  #random;

  /** @param {() => number} random in [0, 1), as Math.random */
  constructor(random) {
    this.#random = random;
  }

  /** @returns {number} milliseconds */
  next() {
    const d = Math.min(limits.backoffMax, limits.backoffMin * 2 ** this.#failed);
    this.#failed++;
    const least = Math.max(limits.backoffMin, d / 2);
    return least + this.#random() * (d - least);
  }

  /** Starts again at the least, as a welcome does. */
  reset() {
    this.#failed = 0;
  }
}
