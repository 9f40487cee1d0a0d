import assert from 'node:assert/strict';
import test from 'node:test';
import { Failure } from '../src/wire/failure.js';
import { Queue } from '../src/queue/queue.js';
import { FakeClock, settled } from './clock.js';

/** A queue whose commands end when a test says so. */
function rig() {
  const clock = new FakeClock();
  const r = {
    clock,
    /** The ids of the commands that have begun, in order. @type {string[]} */
    begun: [],
    answers: /** @type {any} */ ({}),
    /** The order of the answers. @type {string[]} */
    order: [],
    /** @type {Record<string, {end: (data?: any) => void, fail: (error: unknown) => void, signal: AbortSignal, until: number}>} */
    running: {},
    queue: /** @type {Queue} */ (/** @type {any} */ (null)),
    /** @param {string} id @param {string} [session] @param {string} [action] @param {number} [deadline_ms] */
    submit(id, session = 's', action = 'click', deadline_ms = 30_000) {
      r.queue.submit({ type: 'command', id, session, action, args: {}, deadline_ms }, (result) => {
        assert.equal(r.answers[id], undefined, `${id} is answered once`);
        r.answers[id] = result.ok ? 'ok' : result.error.code;
        r.order.push(id);
      });
    },
  };
  r.queue = new Queue((command, signal, until) => {
    r.begun.push(command.id);
    return new Promise((end, fail) => {
      r.running[command.id] = { end: (data = {}) => end(data), fail, signal, until };
    });
  }, clock);
  return r;
}

test('CMD-06: the commands of a session run one at a time, in order', async () => {
  const r = rig();
  for (const id of ['a', 'b', 'c']) r.submit(id);
  assert.deepEqual(r.begun, ['a']);
  r.running.a.end();
  await settled();
  assert.deepEqual(r.begun, ['a', 'b']);
  r.running.b.fail(new Failure('stale_ref', 'gone'));
  await settled();
  assert.deepEqual(r.begun, ['a', 'b', 'c']);
  assert.deepEqual({ ...r.answers }, { a: 'ok', b: 'stale_ref' });
});

test('CMD-07: sessions do not wait for each other', () => {
  const r = rig();
  r.submit('a', 'one');
  r.submit('b', 'two');
  assert.deepEqual(r.begun, ['a', 'b']);
});

test('LIMIT-04: one runs, 32 wait, the next is busy; the others go on', async () => {
  const r = rig();
  r.submit('0');
  for (let n = 1; n <= 32; n++) r.submit(String(n));
  assert.equal(r.queue.waiting('s'), 32);
  assert.deepEqual({ ...r.answers }, {});
  r.submit('33');
  assert.deepEqual({ ...r.answers }, { 33: 'busy' });
  r.running[0].end();
  await settled();
  r.submit('34');
  assert.equal(r.answers[34], undefined, 'there is room again');
  assert.equal(r.queue.waiting('s'), 32);
});

test('the place is free before the answer arrives', async () => {
  const r = rig();
  r.queue.submit({ type: 'command', id: 'a', session: 's', action: 'click', args: {}, deadline_ms: 30_000 }, () => r.submit('b'));
  r.running.a.end();
  await settled();
  assert.deepEqual(r.begun, ['a', 'b']);
});

for (const action of ['dialog', 'close_session', 'cdp_detach', 'artifact_close', 'artifact_read']) {
  test(`CMD-08: ${action} does not wait, though the queue is full`, () => {
    const r = rig();
    for (let n = 0; n <= 32; n++) r.submit(String(n), action === 'close_session' ? 'other' : 's');
    r.submit('now', 's', action);
    assert.deepEqual(r.begun, ['0', 'now']);
  });
}

test('close_session answers what waits, then what runs, then itself; other sessions go on', async () => {
  const r = rig();
  for (const id of ['a', 'b', 'c']) r.submit(id);
  r.submit('d', 's', 'dialog');
  r.submit('other', 'another');
  r.submit('read', 's', 'artifact_read');
  r.submit('close', 's', 'close_session');
  assert.deepEqual(r.order, ['b', 'c', 'a', 'd']);
  assert.deepEqual({ ...r.answers }, { b: 'session_closed', c: 'session_closed', a: 'outcome_unknown', d: 'outcome_unknown' });
  assert.ok(r.running.a.signal.aborted);
  assert.ok(!r.running.other.signal.aborted);
  assert.ok(!r.running.read.signal.aborted);
  r.running.close.end();
  await settled();
  assert.equal(r.answers.close, 'ok');
  assert.deepEqual(r.begun, ['a', 'd', 'other', 'read', 'close'], 'nothing that waited began');
});

test('after close_session the session takes commands again', async () => {
  const r = rig();
  r.submit('a');
  r.submit('close', 's', 'close_session');
  await settled();
  r.submit('b');
  assert.deepEqual(r.begun, ['a', 'close', 'b']);
});

test('CMD-16: a command is answered before the daemon gives up, not a millisecond sooner than it must', async () => {
  const r = rig();
  r.submit('a', 's', 'click', 30_000);
  await r.clock.pass(29_749);
  assert.deepEqual({ ...r.answers }, {});
  await r.clock.pass(1);
  assert.deepEqual({ ...r.answers }, { a: 'outcome_unknown' });
  assert.ok(r.running.a.signal.aborted);
  r.running.a.end();
  await settled();
  assert.deepEqual(r.order, ['a'], 'its late end changes nothing');
});

test('a command that waits past its time never begins', async () => {
  const r = rig();
  r.submit('a', 's', 'click', 30_000);
  r.submit('b', 's', 'click', 1000);
  await r.clock.pass(749);
  assert.deepEqual({ ...r.answers }, {});
  await r.clock.pass(1);
  assert.deepEqual({ ...r.answers }, { b: 'outcome_unknown' });
  r.running.a.end();
  await settled();
  assert.deepEqual(r.begun, ['a']);
});

test('a command whose turn comes just in time begins', async () => {
  const r = rig();
  r.submit('a', 's', 'click', 30_000);
  r.submit('b', 's', 'click', 1000);
  await r.clock.pass(749.999);
  r.running.a.end();
  await settled();
  assert.deepEqual(r.begun, ['a', 'b']);
  assert.equal(r.running.b.until, 750);
});

test('CMD-05: after a lost connection nothing is answered, and nothing that waited begins', async () => {
  const r = rig();
  r.submit('a');
  r.submit('b');
  r.queue.drop();
  assert.ok(r.running.a.signal.aborted);
  r.running.a.end();
  await r.clock.pass(60_000);
  assert.deepEqual(r.begun, ['a']);
  assert.deepEqual(r.order, []);
  assert.equal(r.clock.pending, 0);
  r.submit('c');
  assert.deepEqual(r.begun, ['a', 'c']);
});

test('what fails without a code is outcome_unknown', async () => {
  const r = rig();
  r.submit('a');
  r.running.a.fail(new TypeError('a fault of ours'));
  await settled();
  assert.deepEqual({ ...r.answers }, { a: 'outcome_unknown' });
});

test('a session called __proto__ is one like others', async () => {
  const r = rig();
  r.submit('a', '__proto__');
  r.submit('b', '__proto__');
  r.running.a.end();
  await settled();
  assert.deepEqual(r.begun, ['a', 'b']);
});
