import assert from 'node:assert/strict';
import test from 'node:test';
import { imageSize } from '../src/picture/size.js';

/** @param {string} hex */
const bytes = (hex) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));

test('a PNG', () => {
  assert.deepEqual(imageSize(bytes('89504e47 0d0a1a0a 0000000d 49484452 000003e8 00000291')), { width: 1000, height: 657 });
});

test('a JPEG, whose size stands behind its tables', () => {
  assert.deepEqual(imageSize(bytes('ffd8 ffe0 0004 0000 ffc4 0003 00 ffc0 0011 08 0291 03e8 03')), { width: 1000, height: 657 });
});

test('neither', () => {
  for (const hex of ['', 'ffd8', '89504e47', '47494638']) assert.throws(() => imageSize(bytes(hex)), /neither/);
});
