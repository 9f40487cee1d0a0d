import { limits } from '../wire/limits.js';

/** How often the socket's buffer is looked at while frames queue behind it, in milliseconds. */
const look = 50;

/**
 * What Outbox needs of a WebSocket.
 *
 * @typedef {{send(text: string): void, readonly bufferedAmount: number}} Sink
 */

/**
 * The send buffer (LIMIT-09). A browser's send() takes everything and never says
 * no, so that a daemon that stops reading would fill the memory: here the socket
 * holds 4 MiB and 64 MiB queue behind it. Past that, or if nothing moves for 30
 * seconds, the connection is given up.
 */
export class Outbox {
  /** @type {{text: string, bytes: number}[]} */
  #queue = [];
  #queued = 0;
  /** @type {unknown} */
  #timer = null;
  #moved = 0;
  #seen = 0;
  #closed = false;
  #sink;
  #clock;
  #giveUp;

  /**
   * @param {Sink} sink
   * @param {import('../wire/clock.js').Clock} clock
   * @param {(why: string) => void} giveUp is called once, after which nothing is sent
   */
  constructor(sink, clock, giveUp) {
    this.#sink = sink;
    this.#clock = clock;
    this.#giveUp = giveUp;
  }

  /** @param {string} text one message */
  send(text) {
    if (this.#closed) return;
    const bytes = byteLength(text);
    if (this.#queued === 0 && this.#fits(bytes)) {
      this.#sink.send(text);
    } else if (this.#queued + bytes > limits.queued) {
      this.#fail('more than 64 MiB of answers wait for the daemon to read them');
      return;
    } else {
      this.#queue.push({ text, bytes });
      this.#queued += bytes;
    }
    this.#watch();
  }

  close() {
    this.#closed = true;
    this.#queue = [];
    this.#queued = 0;
    if (this.#timer !== null) this.#clock.clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** @param {number} bytes A message of its own always goes into an empty buffer. */
  #fits(bytes) {
    const held = this.#sink.bufferedAmount;
    return held === 0 || held + bytes <= limits.buffered;
  }

  #watch() {
    if (this.#timer !== null || this.#sink.bufferedAmount === 0) return;
    this.#moved = this.#clock.now();
    this.#seen = this.#sink.bufferedAmount;
    this.#again();
  }

  #again() {
    this.#timer = this.#clock.setTimeout(() => this.#look(), look);
  }

  #look() {
    this.#timer = null;
    if (this.#sink.bufferedAmount < this.#seen) this.#moved = this.#clock.now();
    if (this.#clock.now() - this.#moved >= limits.stuck) {
      this.#fail('the daemon has read nothing for 30 seconds');
      return;
    }
    for (let head = this.#queue[0]; head && this.#fits(head.bytes); head = this.#queue[0]) {
      this.#queue.shift();
      this.#queued -= head.bytes;
      this.#sink.send(head.text);
    }
    this.#seen = this.#sink.bufferedAmount;
    if (this.#seen > 0 || this.#queued > 0) this.#again();
  }

  /** @param {string} why */
  #fail(why) {
    this.close();
    this.#giveUp(why);
  }
}

const utf8 = new TextEncoder();

/** @param {string} text */
function byteLength(text) {
  return utf8.encode(text).length;
}
