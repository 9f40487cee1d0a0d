import { ask } from './ask.js';
import { newNonce, proof } from './proof.js';

/**
 * What the extension asks the daemon over HTTP, beside the socket. Every method
 * answers null if all is well, else a sentence for the person.
 */
export class Daemon {
  #fetch;
  #clock;

  /**
   * @param {typeof fetch} fetcher
   * @param {import('../wire/clock.js').Clock} clock
   */
  constructor(fetcher, clock) {
    this.#fetch = fetcher;
    this.#clock = clock;
  }

  /**
   * Asks who listens at address, and with a token for the proof that it knows
   * that token. The token itself is not sent.
   *
   * @param {string} address
   * @param {string} [token]
   * @returns {Promise<string | null>}
   */
  async identify(address, token) {
    const nonce = newNonce();
    let answer;
    try {
      answer = await ask(this.#fetch, this.#clock, `http://${address}/ping${token ? '?nonce=' + nonce : ''}`, {});
    } catch {
      return `No omw daemon answers at ${address}. Start it with: omw serve`;
    }
    const { status, body } = answer;
    if (status !== 200 || body?.name !== 'omw') return `What answers at ${address} is not the omw daemon. Change the address, or end the other program.`;
    if (body.protocol !== 'omw.v1') return `The daemon at ${address} speaks ${body.protocol}, this extension omw.v1. Update the older one.`;
    if (token && body.proof !== (await proof(token, nonce))) {
      return `The daemon at ${address} does not know this browser. Pair again: run omw pair and enter its code.`;
    }
    return null;
  }

  /**
   * Asks what an upgrade would get now: a browser cannot see the status of a
   * refused one.
   *
   * @param {string} address
   * @param {string} token
   * @returns {Promise<string | null>}
   */
  async admission(address, token) {
    try {
      const { status, body } = await ask(this.#fetch, this.#clock, `http://${address}/extension`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
      });
      switch (status) {
        case 204:
          return null;
        case 401:
          return 'The daemon refused the token. Pair again: run omw pair and enter its code.';
        case 409:
          return 'Another Chrome is connected to the daemon, and it takes one at a time. Disconnect that one first.';
        default:
          return `The daemon refused the connection: ${body?.error?.message ?? 'status ' + status}`;
      }
    } catch {
      return `The daemon at ${address} stopped answering.`;
    }
  }

  /**
   * Redeems a pairing code.
   *
   * @param {string} address
   * @param {string} code
   * @returns {Promise<{token: string} | {refused: string}>}
   */
  async pair(address, code) {
    const stranger = await this.identify(address);
    if (stranger) return { refused: stranger };
    try {
      const { status, body } = await ask(this.#fetch, this.#clock, `http://${address}/pair`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code }),
      });
      if (status === 200 && typeof body?.token === 'string') return { token: body.token };
      if (status === 401) return { refused: 'That code is not valid: mistyped, used, or older than five minutes. Run omw pair for a new one.' };
      if (status === 503) return { refused: 'Too fast: wait a second and try the code again.' };
      return { refused: body?.error?.message ?? `The daemon answered with status ${status}.` };
    } catch {
      return { refused: `The daemon at ${address} stopped answering.` };
    }
  }
}
