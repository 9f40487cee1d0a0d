import assert from 'node:assert/strict';
import test from 'node:test';
import { Artifacts, carried, decode } from '../chrome/artifacts.js';

const MiB = 1 << 20;
const later = performance.now() + 60_000;

test('4 MiB travel whole, one byte more as an artifact of its JSON text', (t) => {
  const artifacts = new Artifacts();
  t.after(() => artifacts.clear());
  const whole = { value: 'x'.repeat(4 * MiB - '{"value":""}'.length) };
  assert.equal(carried(artifacts, whole, later), whole);
  const large = { value: whole.value + 'y' };
  const told = /** @type {any} */ (carried(artifacts, large, later));
  assert.equal(told.bytes, 4 * MiB + 1);

  let text = '';
  for (let offset = 0; ; offset += MiB) {
    const part = Buffer.from(artifacts.read(told.artifact, offset, MiB).base64, 'base64');
    text += part.toString();
    if (part.length < MiB) break;
  }
  assert.deepEqual(JSON.parse(text), large);
});

test('the limit is one of bytes, not of characters', (t) => {
  const artifacts = new Artifacts();
  t.after(() => artifacts.clear());
  const whole = { value: 'ü'.repeat(2 * MiB - '{"value":""}'.length / 2) };
  assert.equal(carried(artifacts, whole, later), whole);
  assert.ok('artifact' in carried(artifacts, { value: whole.value + 'y' }, later));
});

test('a part is at most 1 MiB, and past the end there is nothing', (t) => {
  const artifacts = new Artifacts();
  t.after(() => artifacts.clear());
  const { artifact } = artifacts.keep(new Uint8Array(MiB + 5), later);
  assert.equal(decode(artifacts.read(artifact, 0, 2 * MiB).base64).length, MiB);
  assert.equal(decode(artifacts.read(artifact, MiB, MiB).base64).length, 5);
  assert.equal(artifacts.read(artifact, MiB + 5, 1).base64, '');
});

test('what is closed, or was not read in time, is gone', async () => {
  const artifacts = new Artifacts();
  const closed = artifacts.keep(new Uint8Array(1), later).artifact;
  artifacts.close(closed);
  artifacts.close(closed);
  assert.throws(() => artifacts.read(closed, 0, 1), { code: 'not_found' });
  const late = artifacts.keep(new Uint8Array(1), performance.now()).artifact;
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.throws(() => artifacts.read(late, 0, 1), { code: 'not_found' });
});
