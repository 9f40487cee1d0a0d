import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import test from 'node:test';
import { newNonce, proof } from '../src/link/proof.js';

test('the proof is the HMAC-SHA-256 of the nonce under the token', async () => {
  const want = createHmac('sha256', 'tok-en_1').update('omw-ping:abc').digest('base64url');
  assert.equal(await proof('tok-en_1', 'abc'), want);
  assert.notEqual(await proof('tok-en_2', 'abc'), want);
});

test('a nonce is one that the daemon takes, and never the same', () => {
  const nonces = Array.from({ length: 100 }, newNonce);
  assert.equal(new Set(nonces).size, 100);
  for (const nonce of nonces) assert.match(nonce, /^[A-Za-z0-9_-]{22,64}$/);
});
