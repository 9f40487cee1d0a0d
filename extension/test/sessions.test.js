import assert from 'node:assert/strict';
import test from 'node:test';
import { addressed } from '../src/session/address.js';
import { Sessions } from '../src/session/sessions.js';
import { groupColor, groupTitle } from '../src/session/title.js';

/** chrome.storage.session, as far as it is used. */
function storage() {
  /** @type {Record<string, any>} */
  let kept = {};
  return {
    get: async (/** @type {string} */ key) => (key in kept ? { [key]: structuredClone(kept[key]) } : {}),
    set: async (/** @type {any} */ items) => {
      kept = { ...kept, ...structuredClone(items) };
    },
  };
}

const nowhere = async () => false;
const everywhere = async () => true;

test('LIFE-07: another worker finds the sessions as they were', async () => {
  const kept = storage();
  const before = new Sessions(kept);
  const shop = before.begin('shop');
  before.add(shop, 7, false);
  before.add(shop, 8, true);
  shop.references = 41;
  shop.group = 3;
  before.begin('__proto__');
  await before.save();

  const after = new Sessions(kept);
  await after.load();
  assert.deepEqual(after.names, ['shop', '__proto__']);
  assert.deepEqual(after.get('shop'), {
    name: 'shop',
    tabs: [{ tab: 7, borrowed: false }, { tab: 8, borrowed: true }],
    current: 8,
    group: 3,
    references: 41,
  });
});

test('what is saved last is what stays, though the storage is slow', async () => {
  /** @type {any[]} */
  const written = [];
  let slow = 3;
  const sessions = new Sessions({
    get: async () => ({}),
    set: async (items) => {
      for (let n = slow--; n > 0; n--) await new Promise((resolve) => setImmediate(resolve));
      written.push(items.sessions.length);
    },
  });
  sessions.begin('a');
  sessions.save();
  sessions.begin('b');
  sessions.save();
  sessions.begin('c');
  await sessions.save();
  assert.deepEqual(written, [1, 2, 3]);
});

test('a save that fails is told to who waits for it, and the next one works', async () => {
  let full = true;
  const sessions = new Sessions({
    get: async () => ({}),
    set: async () => {
      if (full) throw new Error('full');
    },
  });
  await assert.rejects(sessions.save(), /full/);
  full = false;
  await sessions.save();
});

test('no tab', async () => {
  const sessions = new Sessions(storage());
  await assert.rejects(addressed(sessions, 's', undefined, nowhere), { code: 'no_tab' });
  sessions.begin('s');
  await assert.rejects(addressed(sessions, 's', undefined, nowhere), { code: 'no_tab' });
});

test('the current tab, or the one that is named', async () => {
  const sessions = new Sessions(storage());
  const s = sessions.begin('s');
  sessions.add(s, 1, false);
  sessions.add(s, 2, false);
  assert.equal((await addressed(sessions, 's', undefined, everywhere)).held.tab, 2);
  assert.equal((await addressed(sessions, 's', 1, everywhere)).held.tab, 1);
});

test('TAB-01: the tab of another session, of nobody, and none', async () => {
  const sessions = new Sessions(storage());
  sessions.begin('s');
  sessions.add(sessions.begin('other'), 1, false);
  await assert.rejects(addressed(sessions, 's', 1, everywhere), { code: 'tab_taken' });
  await assert.rejects(addressed(sessions, 's', 2, everywhere), { code: 'permission' });
  await assert.rejects(addressed(sessions, 's', 2, nowhere), { code: 'tab_gone' });
});

test('a current tab that the person closed is gone, and no neighbour takes its place', async () => {
  const sessions = new Sessions(storage());
  const s = sessions.begin('s');
  sessions.add(s, 1, false);
  sessions.add(s, 2, false);
  assert.equal(sessions.lose(2), s);
  await assert.rejects(addressed(sessions, 's', undefined, nowhere), { code: 'tab_gone' });
  assert.equal(sessions.lose(2), undefined);
});

test('a tab that the session closes itself leaves it the one that came last', async () => {
  const sessions = new Sessions(storage());
  const s = sessions.begin('s');
  for (const tab of [1, 2, 3]) sessions.add(s, tab, false);
  sessions.leave(1);
  assert.equal(s.current, 3);
  sessions.leave(3);
  assert.equal(s.current, 2);
  sessions.leave(2);
  assert.equal(s.current, null);
});

for (const [name, wish, title] of /** @type {[string, string | undefined, string][]} */ ([
  ['shop', undefined, 'shop'],
  ['shop', 'Tea', 'Tea'],
  ['x'.repeat(40), undefined, 'x'.repeat(40)],
  ['x'.repeat(41), undefined, 'x'.repeat(40)],
  ['😀'.repeat(41), undefined, '😀'.repeat(40)],
  ['shop', '', 'shop'],
])) {
  test(`the title of ${name.slice(0, 9)} and ${wish} has ${[...title].length} characters`, () => assert.equal(groupTitle(name, wish), title));
}

test('a session always has the same colour', () => {
  assert.equal(groupColor('shop'), groupColor('shop'));
  assert.ok(new Set(['a', 'b', 'c', 'd', 'e', 'f'].map(groupColor)).size > 1);
});
