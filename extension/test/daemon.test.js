import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { Daemon } from '../src/link/daemon.js';
import { FakeClock, settled } from './clock.js';

/**
 * A daemon that answers as a test says, and what it was asked.
 *
 * @param {(url: URL, init: any) => any} answer status and body, or an error to throw
 */
function rig(answer) {
  /** @type {{url: string, init: any}[]} */
  const asked = [];
  const fetcher = async (/** @type {any} */ url, /** @type {any} */ init) => {
    asked.push({ url, init });
    const got = answer(new URL(url), init);
    if (got instanceof Error) throw got;
    return { status: got.status ?? 200, text: async () => got.text ?? JSON.stringify(got.body) };
  };
  return { asked, daemon: new Daemon(/** @type {any} */ (fetcher), new FakeClock()) };
}

/** @param {string} token */
const omw = (token) => (/** @type {URL} */ url) => ({
  body: {
    name: 'omw',
    version: '1',
    protocol: 'omw.v1',
    proof: createHmac('sha256', token).update('omw-ping:' + url.searchParams.get('nonce')).digest('base64url'),
  },
});

test('AUTH-20: the daemon shows that it knows the token, and is not sent it', async () => {
  const r = rig(omw('tok'));
  assert.equal(await r.daemon.identify('127.0.0.1:1', 'tok'), null);
  assert.match(r.asked[0].url, /^http:\/\/127\.0\.0\.1:1\/ping\?nonce=[A-Za-z0-9_-]{43}$/);
  assert.ok(!JSON.stringify(r.asked).includes('tok"'));
});

for (const [what, answer, said] of /** @type {[string, any, RegExp][]} */ ([
  ['nobody', () => new TypeError('Failed to fetch'), /Start it with: omw serve/],
  ['a stranger', () => ({ text: '<html>' }), /not the omw daemon/],
  ['an error', () => ({ status: 500, body: { name: 'omw' } }), /not the omw daemon/],
  ['another protocol', () => ({ body: { name: 'omw', protocol: 'omw.v2' } }), /speaks omw\.v2/],
  ['another token', omw('other'), /Pair again/],
  ['no proof', () => ({ body: { name: 'omw', protocol: 'omw.v1' } }), /Pair again/],
])) {
  test(`${what} on the port is told from the daemon`, async () => {
    assert.match((await rig(answer).daemon.identify('127.0.0.1:1', 'tok')) ?? '', said);
  });
}

test('an answer that does not come within 10 s is none', async () => {
  const clock = new FakeClock();
  const daemon = new Daemon(
    /** @type {any} */ ((/** @type {any} */ _url, /** @type {any} */ init) => new Promise((_, reject) => init.signal.addEventListener('abort', () => reject(init.signal.reason)))),
    clock,
  );
  /** @type {(string | null)[]} */
  const got = [];
  daemon.identify('127.0.0.1:1', 'tok').then((answer) => got.push(answer));
  await clock.pass(9_999);
  assert.equal(got.length, 0);
  await clock.pass(1);
  await settled();
  assert.match(got[0] ?? '', /No omw daemon answers/);
});

for (const [status, said] of /** @type {[number, RegExp | null][]} */ ([
  [204, null],
  [401, /Pair again/],
  [409, /Another Chrome/],
  [403, /refused/],
])) {
  test(`the reason of a refusal with ${status}`, async () => {
    const r = rig(() => ({ status, text: '' }));
    const reason = await r.daemon.admission('127.0.0.1:1', 'tok');
    if (said) assert.match(reason ?? '', said);
    else assert.equal(reason, null);
    assert.equal(r.asked[0].init.headers.Authorization, 'Bearer tok');
    assert.equal(r.asked[0].url, 'http://127.0.0.1:1/extension');
  });
}

test('a code is redeemed for the token', async () => {
  const r = rig((url) => (url.pathname === '/pair' ? { body: { token: 'new' } } : omw('')(url)));
  assert.deepEqual(await r.daemon.pair('127.0.0.1:1', '012345'), { token: 'new' });
  assert.equal(r.asked[1].init.body, '{"code":"012345"}');
});

test('a stranger is not told a code', async () => {
  const r = rig(() => ({ text: 'hello' }));
  assert.ok('refused' in (await r.daemon.pair('127.0.0.1:1', '012345')));
  assert.equal(r.asked.length, 1);
});

for (const [status, said] of /** @type {[number, RegExp][]} */ ([
  [401, /not valid/],
  [503, /wait a second/],
])) {
  test(`a code refused with ${status}`, async () => {
    const r = rig((url) => (url.pathname === '/pair' ? { status, body: { error: { message: 'm' } } } : omw('')(url)));
    const answer = await r.daemon.pair('127.0.0.1:1', '012345');
    assert.match('refused' in answer ? answer.refused : '', said);
  });
}
