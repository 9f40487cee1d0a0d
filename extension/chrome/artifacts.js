import { Failure } from '../src/wire/failure.js';
import { clock } from '../src/wire/clock.js';
import { limits } from '../src/wire/limits.js';

/**
 * Results too large for one message. The daemon reads them in parts and closes
 * them; what nobody reads is freed when the command's time is over.
 */
export class Artifacts {
  /** @type {Map<string, {bytes: Uint8Array, timer: unknown}>} */
  #held = new Map();
  #named = 0;

  /**
   * @param {Uint8Array} bytes
   * @param {number} until when it is freed, by the clock
   * @returns {{artifact: string, bytes: number}}
   */
  keep(bytes, until) {
    const artifact = `a${++this.#named}-${crypto.randomUUID()}`;
    const timer = clock.setTimeout(() => this.#held.delete(artifact), until - clock.now());
    this.#held.set(artifact, { bytes, timer });
    return { artifact, bytes: bytes.length };
  }

  /**
   * @param {string} artifact
   * @param {number} offset
   * @param {number} length
   */
  read(artifact, offset, length) {
    const held = this.#held.get(artifact);
    if (!held) throw new Failure('not_found', 'there is no such artifact any more');
    return { base64: encode(held.bytes.subarray(offset, offset + Math.min(length, limits.part))) };
  }

  /** @param {string} artifact */
  close(artifact) {
    const held = this.#held.get(artifact);
    if (held) clock.clearTimeout(held.timer);
    this.#held.delete(artifact);
    return {};
  }

  clear() {
    for (const artifact of [...this.#held.keys()]) this.close(artifact);
  }
}

/** @param {Uint8Array} bytes */
function encode(bytes) {
  let text = '';
  // fromCharCode takes its bytes as arguments, of which there may not be too many.
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** @param {string} base64 */
export function decode(base64) {
  return Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
}

/**
 * Returns data as they travel: whole, or as an artifact of their JSON text.
 *
 * @param {Artifacts} artifacts
 * @param {Record<string, unknown>} data
 * @param {number} until
 */
export function carried(artifacts, data, until) {
  const text = JSON.stringify(data);
  // A character has at most three bytes, so that small ones need no look.
  if (text.length * 3 <= limits.inline) return data;
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= limits.inline ? data : artifacts.keep(bytes, until);
}
