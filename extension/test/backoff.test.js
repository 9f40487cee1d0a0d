import assert from 'node:assert/strict';
import test from 'node:test';
import { Backoff } from '../src/link/backoff.js';

/** The delays after failures in a row, if the dice always fall the same. @param {number} random @param {number} n */
function delays(random, n) {
  const backoff = new Backoff(() => random);
  return Array.from({ length: n }, () => backoff.next());
}

const almost = 1 - 2 ** -53;

test('the least that a delay may be: half of a doubling time, never under half a second', () => {
  assert.deepEqual(delays(0, 8), [500, 500, 1000, 2000, 4000, 8000, 15000, 15000]);
});

test('the most that a delay may be: 0.5 s doubled, never over 30 s', () => {
  const want = [500, 1000, 2000, 4000, 8000, 16000, 30000, 30000];
  for (const [n, delay] of delays(almost, 8).entries()) {
    assert.ok(delay <= want[n] && delay > want[n] - 0.001, `${delay} after ${n}`);
  }
});

test('a thousand failures later it is still 30 s', () => {
  assert.equal(Math.ceil(delays(almost, 1100)[1099]), 30000);
});

test('a reset starts again at half a second', () => {
  const backoff = new Backoff(() => almost);
  for (let n = 0; n < 6; n++) backoff.next();
  backoff.reset();
  assert.equal(backoff.next(), 500);
});
