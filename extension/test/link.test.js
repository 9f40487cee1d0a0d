import assert from 'node:assert/strict';
import test from 'node:test';
import { Link } from '../src/link/link.js';
import { FakeClock, settled } from './clock.js';

class FakeSocket {
  /** @type {any} */ onopen = null;
  /** @type {any} */ onmessage = null;
  /** @type {any} */ onclose = null;
  bufferedAmount = 0;
  /** @type {any[]} */ sent = [];
  /** @type {any} */ closed = null;

  /** @param {string} url @param {string[]} protocols */
  constructor(url, protocols) {
    this.url = url;
    this.protocols = protocols;
  }
  /** @param {any} text */
  send(text) {
    this.sent.push(JSON.parse(text));
  }
  /** @param {number} [code] @param {string} [reason] */
  close(code, reason) {
    this.closed = { code, reason };
  }
  /** @param {object} frame */
  receive(frame) {
    this.onmessage?.({ data: JSON.stringify(frame) });
  }
}

/** A link with everything around it in a test's hands. @param {any} [with_] */
function rig(with_ = {}) {
  const clock = new FakeClock();
  /** @type {FakeSocket[]} */
  const sockets = [];
  const r = {
    clock,
    sockets,
    settings: /** @type {{address: string, token?: string}} */ ({ address: '127.0.0.1:1', token: 'tok' }),
    identified: /** @type {any[]} */ ([]),
    stranger: /** @type {string | null} */ (null),
    admission: /** @type {string | null} */ (null),
    asked: 0,
    commands: /** @type {any[]} */ ([]),
    lost: 0,
    states: /** @type {any[]} */ ([]),
    link: /** @type {Link} */ (/** @type {any} */ (null)),
    /** The socket opened last. */
    get socket() {
      return /** @type {any} */ (sockets[sockets.length - 1]);
    },
    async welcomed() {
      r.link.wake();
      await settled();
      r.socket.onopen();
      await settled();
      r.socket.receive({ type: 'welcome', daemon_version: '1', limits: {} });
    },
  };
  r.link = new Link({
    settings: async () => r.settings,
    open: (url, protocols) => {
      const s = new FakeSocket(url, protocols);
      sockets.push(s);
      return /** @type {any} */ (s);
    },
    daemon: {
      identify: async (address, token) => {
        r.identified.push([address, token]);
        return r.stranger;
      },
      admission: async () => {
        r.asked++;
        return r.admission;
      },
    },
    clock,
    random: () => 0,
    hello: async () => ({ browser: 'chrome', browser_version: '1', sessions: ['a'] }),
    onCommand: (frame, answer) => r.commands.push({ frame, answer }),
    onLost: () => r.lost++,
    onState: (state) => r.states.push(state),
    ...with_,
  });
  return r;
}

test('boot, an alarm and an installation at once open one socket', async () => {
  const r = rig();
  r.link.wake();
  r.link.wake();
  await settled();
  r.link.wake();
  r.socket.onopen();
  r.link.wake();
  await settled();
  assert.equal(r.sockets.length, 1);
  assert.equal(r.socket.url, 'ws://127.0.0.1:1/extension');
  assert.deepEqual(r.socket.protocols, ['omw.v1', 'omw-token.tok']);
  assert.deepEqual(r.socket.sent, [{ type: 'hello', browser: 'chrome', browser_version: '1', sessions: ['a'] }]);
});

test('a stranger on the port is sent no token', async () => {
  const r = rig();
  r.stranger = 'What answers is a stranger.';
  r.link.wake();
  await settled();
  assert.deepEqual(r.identified, [['127.0.0.1:1', 'tok']]);
  assert.equal(r.sockets.length, 0);
  assert.equal(r.link.state.phase, 'waiting');
  assert.equal(r.link.state.reason, 'What answers is a stranger.');
  r.stranger = null;
  await r.clock.pass(500);
  assert.equal(r.sockets.length, 1);
});

test('without a token nothing is asked and nothing opened', async () => {
  const r = rig();
  r.settings = { address: '127.0.0.1:1' };
  r.link.wake();
  await r.clock.pass(60_000);
  assert.equal(r.identified.length + r.sockets.length, 0);
  assert.equal(r.link.state.phase, 'unpaired');
  r.settings = { address: '127.0.0.1:1', token: 'new' };
  r.link.restart();
  await settled();
  assert.deepEqual(r.socket.protocols[1], 'omw-token.new');
});

test('LIFE-01: a ping every 20 s from the welcome on, also while a command runs', async () => {
  const r = rig();
  await r.welcomed();
  r.socket.receive({ type: 'command', id: 'x', session: 's', action: 'wait', args: {}, deadline_ms: 120000 });
  const pings = () => r.socket.sent.filter((/** @type {any} */ f) => f.type === 'ping').length;
  await r.clock.pass(19_999);
  assert.equal(pings(), 0);
  await r.clock.pass(1);
  assert.equal(pings(), 1);
  r.socket.receive({ type: 'pong' });
  await r.clock.pass(19_999);
  assert.equal(pings(), 1);
  await r.clock.pass(1);
  assert.equal(pings(), 2);
});

test('LIFE-02: silence of 45 s closes the socket, 44.999 s do not', async () => {
  const r = rig();
  await r.welcomed();
  await r.clock.pass(44_999);
  assert.equal(r.socket.closed, null);
  r.socket.receive({ type: 'pong' });
  await r.clock.pass(44_999);
  assert.equal(r.socket.closed, null);
  await r.clock.pass(1);
  assert.equal(r.socket.closed.code, 4000);
  assert.equal(r.lost, 1);
  assert.equal(r.link.state.phase, 'waiting');
  assert.match(r.link.state.reason ?? '', /silent for 45 seconds/);
});

test('a socket that never opens is given up too', async () => {
  const r = rig();
  r.link.wake();
  await settled();
  await r.clock.pass(44_999);
  assert.equal(r.sockets[0].closed, null);
  await r.clock.pass(1);
  assert.notEqual(r.sockets[0].closed, null);
});

test('LIFE-04: the tries back off and start again at half a second after a welcome', async () => {
  const r = rig();
  await r.welcomed();
  // With dice that always fall at the least.
  const waits = [500, 500, 1000, 2000, 4000, 8000, 15000, 15000];
  for (const [n, wait] of waits.entries()) {
    r.socket.onclose({ code: 1006, reason: '' });
    await settled();
    await r.clock.pass(wait - 1);
    assert.equal(r.sockets.length, n + 1, `not before ${wait} ms`);
    await r.clock.pass(1);
    assert.equal(r.sockets.length, n + 2, `after ${wait} ms`);
  }
  r.socket.onopen();
  await settled();
  r.socket.receive({ type: 'welcome', daemon_version: '1' });
  r.socket.onclose({ code: 1001, reason: '' });
  await r.clock.pass(499);
  assert.equal(r.sockets.length, waits.length + 1);
  await r.clock.pass(1);
  assert.equal(r.sockets.length, waits.length + 2);
});

test('an alarm does not cut the back-off short', async () => {
  const r = rig();
  r.link.wake();
  await settled();
  r.socket.onclose({ code: 1006, reason: '' });
  await settled();
  r.link.wake();
  await settled();
  assert.equal(r.sockets.length, 1);
});

test('the reason of a refusal is asked for and shown', async () => {
  const r = rig();
  r.admission = 'Another Chrome is connected to the daemon.';
  r.link.wake();
  await settled();
  r.socket.onclose({ code: 1006, reason: '' });
  await settled();
  assert.equal(r.asked, 1);
  assert.equal(r.link.state.reason, 'Another Chrome is connected to the daemon.');
});

test('after a welcome a lost connection is no refusal', async () => {
  const r = rig();
  await r.welcomed();
  r.socket.onclose({ code: 1001, reason: 'shutting down' });
  await settled();
  assert.equal(r.asked, 0);
  assert.match(r.link.state.reason ?? '', /shutting down/);
});

test('an answer to an old connection is not sent on the new one', async () => {
  const r = rig();
  await r.welcomed();
  r.socket.receive({ type: 'command', id: 'old', session: 's', action: 'click', args: {}, deadline_ms: 1000 });
  r.socket.onclose({ code: 1006, reason: '' });
  assert.equal(r.lost, 1);
  await r.clock.pass(500);
  r.socket.onopen();
  await settled();
  r.socket.receive({ type: 'welcome', daemon_version: '1' });
  r.commands[0].answer({ ok: true, data: {} });
  assert.deepEqual(r.socket.sent.map((/** @type {any} */ f) => f.type), ['hello']);
});

test('an answer carries the id of its command', async () => {
  const r = rig();
  await r.welcomed();
  r.socket.receive({ type: 'command', id: 'c1', session: 's', action: 'click', args: {}, deadline_ms: 1000 });
  r.commands[0].answer({ ok: true, data: { a: 1 } });
  assert.deepEqual(r.socket.sent.at(-1), { type: 'result', id: 'c1', ok: true, data: { a: 1 } });
});

test('frames of unknown types and what is no JSON are ignored', async () => {
  const r = rig();
  await r.welcomed();
  r.socket.receive({ type: 'news' });
  r.socket.onmessage({ data: 'no JSON' });
  r.socket.onmessage({ data: 'null' });
  assert.equal(r.link.state.phase, 'connected');
});

test('other settings end the connection and begin a new one at once, also in the middle of a try', async () => {
  const r = rig();
  await r.welcomed();
  const first = r.socket;
  r.settings = { address: '127.0.0.1:2', token: 'tok' };
  r.link.restart();
  assert.equal(first.closed.code, 1000);
  r.settings = { address: '127.0.0.1:3', token: 'tok' };
  r.link.restart();
  await settled();
  assert.deepEqual(r.sockets.map((s) => s.url), ['ws://127.0.0.1:1/extension', 'ws://127.0.0.1:3/extension']);
});

test('a daemon that goes away while it is asked who it is leaves a time for the next try', async () => {
  const r = rig();
  r.link = new Link({
    .../** @type {any} */ ({
      settings: async () => r.settings,
      open: () => assert.fail('no socket'),
      daemon: { identify: () => Promise.reject(new Error('gone')), admission: async () => null },
      clock: r.clock,
      random: () => 0,
      hello: async () => ({}),
      onCommand: () => {},
      onLost: () => {},
      onState: () => {},
    }),
  });
  r.link.wake();
  await settled();
  assert.equal(r.link.state.phase, 'waiting');
  assert.equal(r.clock.due, 500);
});
