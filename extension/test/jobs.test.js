import assert from 'node:assert/strict';
import test from 'node:test';
import { Jobs } from '../chrome/jobs.js';
import { settled } from './clock.js';

/** Jobs that end when a test says so. */
function rig() {
  const jobs = new Jobs();
  /** @type {string[]} */
  const begun = [];
  /** @type {Record<string, (value?: unknown) => void>} */
  const end = {};
  const never = new AbortController().signal;
  return {
    begun,
    end,
    /** @param {string} name @param {AbortSignal} [signal] */
    run: (name, signal = never) => jobs.run(signal, () => new Promise((resolve) => (begun.push(name), (end[name] = resolve)))),
  };
}

test('LIMIT-10: two run, a third waits and is not lost', async () => {
  const r = rig();
  r.run('a');
  r.run('b');
  const third = r.run('c');
  await settled();
  assert.deepEqual(r.begun, ['a', 'b']);
  r.end.a();
  await settled();
  assert.deepEqual(r.begun, ['a', 'b', 'c']);
  r.end.c('done');
  assert.equal(await third, 'done');
});

test('one that is given up while it waits takes no place', async () => {
  const r = rig();
  const stop = new AbortController();
  r.run('a');
  r.run('b');
  const gone = r.run('c', stop.signal);
  r.run('d');
  stop.abort(new Error('enough'));
  await assert.rejects(gone, /enough/);
  r.end.a();
  await settled();
  assert.deepEqual(r.begun, ['a', 'b', 'd']);
});
