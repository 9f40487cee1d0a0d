// A small client of omw in JavaScript, with nothing but what Node brings.
//
// The class Client is what an agent would use. What stands below it puts it
// under test: it speaks the driver's contract of the suite on standard input
// and output.
//
//     omw-conformance run --role client --target "exec:node conformance/clients/javascript/client.mjs"

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { Agent, request } from 'node:http';
import { createInterface } from 'node:readline';

// How much longer than the daemon the client waits: the daemon knows more about
// what came of a command, so it is to answer first.
const GRACE_MS = 5000;
const DEFAULT_TIMEOUT_MS = 30000;

/** Whoever listens there has not shown that it knows the token. */
class Stranger extends Error {}

export class Client {
  /** @param {string} url @param {string} token */
  constructor(url, token) {
    this.url = new URL(url);
    this.token = token;
  }

  /**
   * Sends one command, once. After the outcome "unknown" the command may have
   * run and may not: look at the page before it is sent again.
   *
   * @param {{action: string, args?: object, session?: string, timeout_ms?: number}} wish
   * @returns {Promise<{outcome: 'ok'|'error'|'unknown', code: string}>}
   */
  async command({ action, args = {}, session, timeout_ms = DEFAULT_TIMEOUT_MS }) {
    // One socket: the token goes where the proof came from.
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const within = timeout_ms + GRACE_MS;
    try {
      await this.prove(agent, within);
    } catch (error) {
      agent.destroy();
      return { outcome: 'error', code: error instanceof Stranger ? 'unauthorized' : 'not_connected' };
    }
    try {
      const body = JSON.stringify({ action, args, session, timeout_ms });
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.token}` };
      return read(await ask(this.url, agent, within, 'POST', '/command', headers, body));
    } catch {
      // It went out, or a part of it, and nobody said what came of it.
      return { outcome: 'unknown', code: '' };
    } finally {
      agent.destroy();
    }
  }

  /** Has the daemon show that it knows the token. */
  async prove(agent, within) {
    const nonce = randomBytes(24).toString('base64url');
    const pong = await ask(this.url, agent, within, 'GET', `/ping?nonce=${nonce}`, {});
    const proof = createHmac('sha256', this.token).update(`omw-ping:${nonce}`).digest();
    const shown = Buffer.from(String(pong.proof ?? ''), 'base64url');
    if (shown.length !== proof.length || !timingSafeEqual(shown, proof)) throw new Stranger();
  }
}

/** Tells by the answer, not by the HTTP status, what came of a command. */
function read(answer) {
  if (answer.ok === true) return { outcome: 'ok', code: '' };
  const code = answer.error?.code ?? '';
  return { outcome: code === 'outcome_unknown' ? 'unknown' : 'error', code };
}

/** @returns {Promise<any>} the answer's JSON */
function ask(url, agent, within, method, path, headers, body) {
  return new Promise((resolve, reject) => {
    const req = request({ host: url.hostname, port: url.port, agent, method, path, headers }, (res) => {
      const chunks = [];
      res.on('data', (chunk) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
        } catch (error) {
          reject(error);
        }
      });
    });
    req.setTimeout(within, () => req.destroy(new Error(`no answer within ${within} ms`)));
    req.on('error', reject);
    req.end(body);
  });
}

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
let client;
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  if (told.cmd === 'start') {
    client = new Client(told.url, told.token);
    say({ cmd: 'started', name: 'omw example in JavaScript', version: '1' });
  } else if (told.cmd === 'do') {
    client.command(told).then((done) => say({ cmd: 'done', n: told.n, ...done }));
  } else if (told.cmd === 'stop') {
    process.exit(0);
  }
}
