/**
 * Time as a module sees it, so that a test can have its own.
 *
 * @typedef {object} Clock
 * @property {() => number} now milliseconds, of which only differences count
 * @property {(call: () => void, ms: number) => unknown} setTimeout
 * @property {(timer: any) => void} clearTimeout
 */

/** The browser's clock. @type {Clock} */
export const clock = {
  now: () => performance.now(),
  setTimeout: (call, ms) => setTimeout(call, ms),
  clearTimeout: (timer) => clearTimeout(timer),
};
