import assert from 'node:assert/strict';
import test from 'node:test';
import { write } from '../src/snapshot/text.js';

/** @param {string} role @param {string} name @param {any} [more] @returns {any} */
const node = (role, name, more = {}) => ({ role, name, full: name, states: [], value: '', element: { getAttribute: () => null }, children: [], ...more });

/** @param {any[]} nodes @param {boolean} [interactive] */
function written(nodes, interactive = false) {
  let n = 0;
  return write(nodes, { interactive, number: () => ++n });
}

test('a line a node, two spaces a level', () => {
  const { text, nodes, truncated } = written([
    node('main', '', { children: [node('textbox', 'Say "hi"', { states: ['required'], value: 'yes' }), node('text', 'plain', { element: null })] }),
  ]);
  assert.equal(text, '- main [ref=e1]\n  - textbox "Say \\"hi\\"" [required ref=e2]: yes\n  - text "plain"');
  assert.equal(nodes, 3);
  assert.equal(truncated, false);
});

test('interactive leaves out the rest, and the levels', () => {
  const { text } = written([node('main', '', { children: [node('paragraph', '', { children: [node('link', 'Home')] })] })], true);
  assert.equal(text, '- link "Home" [ref=e1]');
});

test('LIMIT-11: 4000 nodes are whole, the next is cut and gets no reference', () => {
  const all = (/** @type {number} */ n) => written(Array.from({ length: n }, () => node('link', 'x')));
  assert.deepEqual([all(4000).nodes, all(4000).truncated], [4000, false]);
  assert.deepEqual([all(4001).nodes, all(4001).truncated], [4000, true]);
  assert.match(all(4001).text, /ref=e4000\]$/);
});

test('LIMIT-11: 192000 characters are whole, one more is cut at a whole line', () => {
  // "- text " and two quotes, and a line break.
  const line = (/** @type {number} */ n) => node('text', 'x'.repeat(n - 10), { element: null });
  const fits = written([line(96000), line(96000)]);
  assert.deepEqual([fits.text.length, fits.nodes, fits.truncated], [191_999, 2, false]);
  const cut = written([line(96000), line(96001)]);
  assert.deepEqual([cut.text.length, cut.nodes, cut.truncated], [95_999, 1, true]);
});
