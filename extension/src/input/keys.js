/**
 * A key as Input.dispatchKeyEvent takes it.
 *
 * @typedef {object} Key
 * @property {string} key
 * @property {string} code
 * @property {number} windowsVirtualKeyCode
 * @property {string} [text] what it types
 */

/** The keys that have a name: code, virtual key code of Windows, text. @type {Record<string, [string, number, string?]>} */
const named = {
  Enter: ['Enter', 13, '\r'],
  Tab: ['Tab', 9],
  Backspace: ['Backspace', 8],
  Delete: ['Delete', 46],
  Escape: ['Escape', 27],
  Insert: ['Insert', 45],
  Home: ['Home', 36],
  End: ['End', 35],
  PageUp: ['PageUp', 33],
  PageDown: ['PageDown', 34],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
  Shift: ['ShiftLeft', 16],
  Control: ['ControlLeft', 17],
  Alt: ['AltLeft', 18],
  Meta: ['MetaLeft', 91],
  CapsLock: ['CapsLock', 20],
  ContextMenu: ['ContextMenu', 93],
};
for (let n = 1; n <= 12; n++) named['F' + n] = ['F' + n, 111 + n];

/** Characters whose virtual key code is not that of a letter or a digit. @type {Record<string, [string, number]>} */
const signs = {
  ' ': ['Space', 32], ';': ['Semicolon', 186], ':': ['Semicolon', 186], '=': ['Equal', 187], '+': ['Equal', 187], ',': ['Comma', 188],
  '<': ['Comma', 188], '-': ['Minus', 189], _: ['Minus', 189], '.': ['Period', 190], '>': ['Period', 190], '/': ['Slash', 191],
  '?': ['Slash', 191], '`': ['Backquote', 192], '~': ['Backquote', 192], '[': ['BracketLeft', 219], '{': ['BracketLeft', 219],
  '\\': ['Backslash', 220], '|': ['Backslash', 220], ']': ['BracketRight', 221], '}': ['BracketRight', 221], "'": ['Quote', 222],
  '"': ['Quote', 222], '!': ['Digit1', 49], '@': ['Digit2', 50], '#': ['Digit3', 51], $: ['Digit4', 52], '%': ['Digit5', 53],
  '^': ['Digit6', 54], '&': ['Digit7', 55], '*': ['Digit8', 56], '(': ['Digit9', 57], ')': ['Digit0', 48],
};

const bits = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

/**
 * The modifiers as a number: Alt 1, Control 2, Meta 4, Shift 8.
 *
 * @param {string[]} names
 * @param {boolean} mac ControlOrMeta is Meta there
 */
export function modifierBits(names, mac) {
  return names.reduce((sum, name) => sum | bits[/** @type {keyof typeof bits} */ (name === 'ControlOrMeta' ? (mac ? 'Meta' : 'Control') : name)], 0);
}

/**
 * Returns the key of a name, or null if there is none. With Control, Alt or Meta held it types nothing.
 *
 * @param {string} name as KeyboardEvent.key has it
 * @param {number} held the modifiers' bits
 * @returns {Key | null}
 */
export function keyOf(name, held) {
  const types = (held & (bits.Alt | bits.Control | bits.Meta)) === 0;
  if (Object.hasOwn(named, name)) {
    const [code, windowsVirtualKeyCode, text] = named[name];
    return { key: name, code, windowsVirtualKeyCode, ...(text && types ? { text } : {}) };
  }
  if ([...name].length !== 1) return null;
  const text = types ? { text: name } : {};
  if (Object.hasOwn(signs, name)) return { key: name, code: signs[name][0], windowsVirtualKeyCode: signs[name][1], ...text };
  const upper = name.toUpperCase();
  if (/^[A-Z]$/.test(upper)) return { key: name, code: 'Key' + upper, windowsVirtualKeyCode: upper.charCodeAt(0), ...text };
  if (/^[0-9]$/.test(name)) return { key: name, code: 'Digit' + name, windowsVirtualKeyCode: name.charCodeAt(0), ...text };
  return { key: name, code: '', windowsVirtualKeyCode: 0, ...text };
}
