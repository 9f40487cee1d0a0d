import assert from 'node:assert/strict';
import test from 'node:test';
import { keyOf, modifierBits } from '../src/input/keys.js';

test('keys as Chrome takes them', () => {
  assert.deepEqual(keyOf('Enter', 0), { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' });
  assert.deepEqual(keyOf('ArrowDown', 0), { key: 'ArrowDown', code: 'ArrowDown', windowsVirtualKeyCode: 40 });
  assert.deepEqual(keyOf('a', 0), { key: 'a', code: 'KeyA', windowsVirtualKeyCode: 65, text: 'a' });
  assert.deepEqual(keyOf('7', 0), { key: '7', code: 'Digit7', windowsVirtualKeyCode: 55, text: '7' });
  assert.deepEqual(keyOf('+', 0), { key: '+', code: 'Equal', windowsVirtualKeyCode: 187, text: '+' });
  assert.deepEqual(keyOf('é', 0), { key: 'é', code: '', windowsVirtualKeyCode: 0, text: 'é' });
  assert.deepEqual(keyOf('F12', 0), { key: 'F12', code: 'F12', windowsVirtualKeyCode: 123 });
});

test('with Control held a letter types nothing, with Shift it does', () => {
  assert.equal(keyOf('a', modifierBits(['Control'], false))?.text, undefined);
  assert.equal(keyOf('A', modifierBits(['Shift'], false))?.text, 'A');
});

test('what is no key', () => {
  for (const name of ['enter', 'Nope', 'ab', 'constructor', '__proto__']) assert.equal(keyOf(name, 0), null);
});

test('modifiers are bits', () => {
  assert.equal(modifierBits([], false), 0);
  assert.equal(modifierBits(['Alt', 'Control', 'Meta', 'Shift'], false), 15);
  assert.equal(modifierBits(['ControlOrMeta'], false), 2);
  assert.equal(modifierBits(['ControlOrMeta'], true), 4);
});
