import assert from 'node:assert/strict';
import test from 'node:test';
import { openTab } from '../chrome/tabs.js';
import { Sessions } from '../src/session/sessions.js';
import { pretend } from './browser.js';

/** A browser that makes tabs and groups. @param {any} [window_] the window used last */
function rig(window_ = { id: 5, incognito: false }) {
  let tab = 100;
  /** @type {Set<number>} */
  const groups = new Set();
  const calls = pretend({
    windows: {
      getLastFocused: () => window_ ?? Promise.reject(new Error('No last-focused window')),
      create: () => ({ tabs: [{ id: ++tab }] }),
    },
    tabs: {
      create: () => ({ id: ++tab }),
      remove: () => {},
      group: ({ groupId }) => {
        if (groupId === undefined) groups.add((groupId = groups.size + 1));
        if (!groups.has(groupId)) throw new Error(`No group with id: ${groupId}.`);
        return groupId;
      },
    },
    tabGroups: { update: () => ({}) },
  });
  return { calls, groups, sessions: new Sessions({ get: async () => ({}), set: async () => {} }) };
}

test('TAB-02, TAB-10: a tab opens in the background and in the group of its session', async () => {
  const { calls, sessions } = rig();
  const shop = sessions.begin('shop');
  await openTab(sessions, shop);
  await openTab(sessions, shop);
  assert.deepEqual(calls.filter(([name]) => name === 'tabs.create'), Array(2).fill(['tabs.create', { windowId: 5, url: 'about:blank', active: false }]));
  assert.deepEqual(calls.filter(([name]) => name === 'tabs.group').map(([, args]) => args), [{ tabIds: [101] }, { groupId: 1, tabIds: [102] }]);
  assert.deepEqual(calls.filter(([name]) => name === 'tabGroups.update').map(([, group, { title }]) => [group, title]), [[1, 'shop']]);
  assert.equal(shop.current, 102);
});

test('a group that the person dissolved is made anew', async () => {
  const { groups, sessions } = rig();
  const shop = sessions.begin('shop');
  await openTab(sessions, shop);
  groups.clear();
  groups.add(9);
  await openTab(sessions, shop);
  assert.equal(shop.group, 2);
});

test('without a window, or with only an incognito one, one is made and not focused', async () => {
  for (const window of [null, { id: 7, incognito: true }]) {
    const { calls, sessions } = rig(window);
    await openTab(sessions, sessions.begin('shop'));
    assert.deepEqual(calls.filter(([name]) => /create$/.test(name)), [['windows.create', { url: 'about:blank', focused: false }]]);
  }
});

test('LIMIT-06: a session has 32 tabs, and the 33rd is busy', async () => {
  const { sessions } = rig();
  const shop = sessions.begin('shop');
  for (let n = 0; n < 32; n++) await openTab(sessions, shop);
  await assert.rejects(openTab(sessions, shop), { code: 'busy' });
  assert.equal(shop.tabs.length, 32);
  await openTab(sessions, sessions.begin('other'));
});

test('a tab that comes when its session has been closed is not left behind', async () => {
  const { calls, sessions } = rig();
  const opening = openTab(sessions, sessions.begin('shop'));
  sessions.end('shop');
  await assert.rejects(opening, { code: 'outcome_unknown' });
  assert.deepEqual(calls.at(-1), ['tabs.remove', 101]);
  assert.deepEqual(sessions.names, []);
});
