/**
 * Time that passes when a test says so.
 */
export class FakeClock {
  #now = 0;
  #next = 0;
  /** @type {Map<number, {at: number, call: () => void}>} */
  #timers = new Map();

  now = () => this.#now;

  /** @param {() => void} call @param {number} ms */
  setTimeout = (call, ms) => {
    this.#timers.set(++this.#next, { at: this.#now + ms, call });
    return this.#next;
  };

  /** @param {any} timer */
  clearTimeout = (timer) => {
    this.#timers.delete(timer);
  };

  get pending() {
    return this.#timers.size;
  }

  /** When the next timer is due, in milliseconds from now. */
  get due() {
    return Math.min(...[...this.#timers.values()].map((t) => t.at)) - this.#now;
  }

  /**
   * Lets time pass; timers run in the order in which they are due, and what they resolve is
   * settled before the next.
   *
   * @param {number} ms
   */
  async pass(ms) {
    const end = this.#now + ms;
    await settled();
    for (;;) {
      const [id, timer] = [...this.#timers].sort((a, b) => a[1].at - b[1].at || a[0] - b[0])[0] ?? [];
      if (id === undefined || timer === undefined || timer.at > end) break;
      this.#timers.delete(id);
      this.#now = timer.at;
      timer.call();
      await settled();
    }
    this.#now = end;
  }
}

/** Resolves when everything that can be settled without time is. */
export function settled() {
  return new Promise((resolve) => setImmediate(resolve));
}
