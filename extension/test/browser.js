/**
 * What a test puts in the place of chrome: an object of functions, each of which
 * takes note of its calls.
 *
 * @param {Record<string, Record<string, (...args: any[]) => any>>} api
 * @returns {[string, ...any[]][]} the calls so far
 */
export function pretend(api) {
  /** @type {[string, ...any[]][]} */
  const calls = [];
  const chrome = Object.fromEntries(
    Object.entries(api).map(([room, functions]) => [
      room,
      Object.fromEntries(
        Object.entries(functions).map(([name, call]) => [
          name,
          async (/** @type {any[]} */ ...args) => {
            calls.push([`${room}.${name}`, ...structuredClone(args)]);
            return call(...args);
          },
        ]),
      ),
    ]),
  );
  /** @type {any} */ (globalThis).chrome = chrome;
  return calls;
}
