import assert from 'node:assert/strict';
import test from 'node:test';
import { Outbox } from '../src/link/outbox.js';
import { FakeClock } from './clock.js';

const MiB = 1 << 20;

/** A socket that a test drains. */
function rig() {
  const clock = new FakeClock();
  const sink = {
    bufferedAmount: 0,
    sent: /** @type {number[]} */ ([]),
    /** @param {string} text */
    send(text) {
      sink.sent.push(text.length);
      sink.bufferedAmount += Buffer.byteLength(text);
    },
  };
  const r = { clock, sink, given: /** @type {string[]} */ ([]), outbox: /** @type {Outbox} */ (/** @type {any} */ (null)) };
  r.outbox = new Outbox(sink, clock, (why) => r.given.push(why));
  return r;
}

/** @param {number} n */
const text = (n) => 'x'.repeat(n);

test('LIMIT-09: 4 MiB go to the socket, one byte more queues until there is room', async () => {
  const r = rig();
  r.outbox.send(text(3 * MiB));
  r.outbox.send(text(MiB));
  assert.deepEqual(r.sink.sent, [3 * MiB, MiB]);
  r.outbox.send('y');
  assert.equal(r.sink.sent.length, 2);
  r.sink.bufferedAmount = 4 * MiB - 1;
  await r.clock.pass(50);
  assert.deepEqual(r.sink.sent, [3 * MiB, MiB, 1]);
});

test('one message larger than that goes into an empty socket', () => {
  const r = rig();
  r.outbox.send(text(20 * MiB));
  assert.equal(r.sink.sent.length, 1);
});

test('the order is kept: a small one does not overtake a large one', async () => {
  const r = rig();
  r.outbox.send(text(3 * MiB));
  r.outbox.send(text(2 * MiB));
  r.outbox.send('y');
  assert.deepEqual(r.sink.sent, [3 * MiB]);
  r.sink.bufferedAmount = 0;
  await r.clock.pass(50);
  assert.deepEqual(r.sink.sent, [3 * MiB, 2 * MiB, 1]);
});

test('a length is that of UTF-8', () => {
  const r = rig();
  r.outbox.send(text(4 * MiB - 3));
  r.outbox.send('€');
  r.outbox.send('y');
  assert.deepEqual(r.sink.sent, [4 * MiB - 3, 1]);
});

test('64 MiB queue, one byte more ends the connection, once', () => {
  const r = rig();
  r.outbox.send(text(4 * MiB));
  for (let n = 0; n < 64; n++) r.outbox.send(text(MiB));
  assert.deepEqual(r.given, []);
  r.outbox.send('y');
  assert.equal(r.given.length, 1);
  r.outbox.send('y');
  assert.equal(r.given.length, 1);
  assert.equal(r.clock.pending, 0);
});

test('30 s in which nothing moves end the connection, a byte in between does not', async () => {
  const r = rig();
  r.outbox.send(text(4 * MiB));
  await r.clock.pass(29_950);
  r.sink.bufferedAmount--;
  await r.clock.pass(50);
  await r.clock.pass(29_950);
  assert.deepEqual(r.given, []);
  await r.clock.pass(50);
  assert.equal(r.given.length, 1);
});

test('nothing is looked at while there is nothing to send', async () => {
  const r = rig();
  r.outbox.send('y');
  assert.equal(r.clock.pending, 1);
  r.sink.bufferedAmount = 0;
  await r.clock.pass(50);
  assert.equal(r.clock.pending, 0);
});

test('after close nothing is sent', async () => {
  const r = rig();
  r.outbox.send(text(4 * MiB));
  r.outbox.send('y');
  r.outbox.close();
  r.sink.bufferedAmount = 0;
  r.outbox.send('z');
  await r.clock.pass(60_000);
  assert.equal(r.sink.sent.length, 1);
  assert.deepEqual(r.given, []);
});
