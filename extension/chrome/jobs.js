import { limits } from '../src/wire/limits.js';

/** Lets two pictures be made at a time; a third waits for its turn (LIMIT-10). */
export class Jobs {
  #running = 0;
  /** @type {(() => void)[]} */
  #waiting = [];

  /**
   * @template T
   * @param {AbortSignal} signal
   * @param {() => Promise<T>} make
   * @returns {Promise<T>}
   */
  async run(signal, make) {
    await this.#enter(signal);
    try {
      return await make();
    } finally {
      this.#running--;
      this.#waiting.shift()?.();
    }
  }

  /** @param {AbortSignal} signal @returns {Promise<void>} */
  async #enter(signal) {
    while (this.#running >= limits.jobs) {
      await new Promise((/** @type {(value?: undefined) => void} */ resolve, reject) => {
        const turn = () => {
          signal.removeEventListener('abort', leave);
          resolve();
        };
        const leave = () => {
          this.#waiting = this.#waiting.filter((w) => w !== turn);
          reject(signal.reason);
        };
        this.#waiting.push(turn);
        signal.addEventListener('abort', leave, { once: true });
      });
    }
    signal.throwIfAborted();
    this.#running++;
  }
}
