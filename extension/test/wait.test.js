import assert from 'node:assert/strict';
import test from 'node:test';
import { ready } from '../src/input/wait.js';
import { FakeClock } from './clock.js';

/**
 * Waits for an element that looks like that at each time, and says when and how it ended.
 *
 * @param {(at: number) => any} seen
 * @param {number} within
 */
async function waited(seen, within) {
  const clock = new FakeClock();
  let looks = 0;
  /** @type {any} */
  const ended = {};
  ready(async () => (looks++, seen(clock.now())), '@e1', clock, within).then(
    (point) => Object.assign(ended, { point, at: clock.now() }),
    (error) => Object.assign(ended, { code: error.code, message: error.message, at: clock.now() }),
  );
  await clock.pass(within + 1000);
  return { ...ended, looks };
}

test('an element that stands still is acted on after a frame', async () => {
  assert.deepEqual(await waited(() => ({ point: { x: 1, y: 2 } }), 1000), { point: { x: 1, y: 2 }, at: 16, looks: 2 });
});

test('one that appears is waited for', async () => {
  const { point, at } = await waited((now) => (now < 300 ? { what: '<b>', not: 'it is not visible' } : { point: { x: 1, y: 2 } }), 1000);
  assert.deepEqual(point, { x: 1, y: 2 });
  assert.ok(at >= 300 && at < 600);
});

test('one that moves is no target, until it stops', async () => {
  const { code, message } = await waited((now) => ({ point: { x: now, y: 0 } }), 500);
  assert.equal(code, 'not_actionable');
  assert.match(message, /keeps moving/);
  assert.equal((await waited((now) => ({ point: { x: Math.min(now, 200), y: 0 } }), 1000)).point.x, 200);
});

test('in the end it is said what was in the way last, in time', async () => {
  const { code, message, at } = await waited((now) => ({ what: '<button>', not: now < 100 ? 'it is disabled' : 'it is covered by <div>' }), 500);
  assert.equal(code, 'not_actionable');
  assert.equal(message, '@e1: <button> cannot be acted on: it is covered by <div>');
  assert.ok(at <= 500);
});

test('without time there is one look', async () => {
  const { code, looks } = await waited(() => ({ point: { x: 1, y: 2 } }), 0);
  assert.equal(code, 'not_actionable');
  assert.equal(looks, 1);
});
