import assert from 'node:assert/strict';
import test from 'node:test';
import { readAddress } from '../src/link/address.js';

for (const [typed, read] of /** @type {[string, string | null][]} */ ([
  ['127.0.0.1:17373', '127.0.0.1:17373'],
  [' http://127.0.0.1:80/ ', '127.0.0.1:80'],
  ['127.0.0.1:1', '127.0.0.1:1'],
  ['127.0.0.1:0', null],
  ['127.0.0.1:65535', '127.0.0.1:65535'],
  ['127.0.0.1:65536', null],
  ['127.0.0.1:007', '127.0.0.1:7'],
  ['127.0.0.1', null],
  ['localhost:17373', null],
  ['127.0.0.2:17373', null],
  ['[::1]:17373', null],
  ['https://127.0.0.1:17373', null],
  ['127.0.0.1:17373/path', null],
  ['evil.example/127.0.0.1:17373', null],
  ['', null],
])) {
  test(`${JSON.stringify(typed)} is ${read ?? 'no address'}`, () => assert.equal(readAddress(typed), read));
}
