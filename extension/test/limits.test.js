import assert from 'node:assert/strict';
import test from 'node:test';
import { ownTime } from '../src/wire/limits.js';

for (const [left, own] of [[30000, 29750], [1004, 754], [1000, 750], [996, 747], [4, 3], [1, 0.75]]) {
  test(`of ${left} ms the extension takes ${own}`, () => assert.equal(ownTime(left), own));
}
