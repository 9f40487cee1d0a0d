import assert from 'node:assert/strict';
import test from 'node:test';
import { Debugger, ProtocolError } from '../chrome/debugger.js';
import { pretend } from './browser.js';
import { settled } from './clock.js';

/** A debugger whose browser answers as a test says. @param {any} answers */
function rig(answers = {}) {
  const calls = pretend({
    debugger: {
      attach: answers.attach ?? (() => {}),
      detach: answers.detach ?? (() => {}),
      getTargets: answers.getTargets ?? (() => []),
      sendCommand: answers.sendCommand ?? (() => ({})),
    },
  });
  /** @type {[number, string][]} */
  const detached = [];
  const dbg = new Debugger(
    (tab) => dbg.send(tab, 'Page.enable'),
    (tab, reason) => detached.push([tab, reason]),
  );
  return { calls, detached, dbg };
}

/** @param {string} message */
const fails = (message) => () => Promise.reject(new Error(message));

test('a tab is attached once, and Page is on before anything else', async () => {
  const { calls, dbg } = rig();
  await Promise.all([dbg.attach(7), dbg.attach(7)]);
  await dbg.send(7, 'Runtime.evaluate');
  assert.deepEqual(calls.map(([name, , what]) => [name, what]), [
    ['debugger.attach', '1.3'],
    ['debugger.sendCommand', 'Page.enable'],
    ['debugger.sendCommand', 'Runtime.evaluate'],
  ]);
});

test('LIFE-06: what an earlier worker left attached is detached, its dialog first; what is not ours is left', async () => {
  const { calls, dbg } = rig({
    getTargets: () => [{ attached: true, tabId: 7 }, { attached: false, tabId: 8 }, { attached: true }, { attached: true, tabId: 9 }],
    sendCommand: fails('Debugger is not attached to the tab with id: 9.'),
    detach: (/** @type {any} */ { tabId }) => (tabId === 9 ? fails('Debugger is not attached to the tab with id: 9.')() : undefined),
  });
  await dbg.detachInherited();
  assert.deepEqual(calls.slice(1).map(([name, { tabId }]) => [name, tabId]).sort(), [
    ['debugger.detach', 7],
    ['debugger.detach', 9],
    ['debugger.sendCommand', 7],
    ['debugger.sendCommand', 9],
  ]);
  const order = calls.filter(([, target]) => target?.tabId === 7).map(([name]) => name);
  assert.deepEqual(order, ['debugger.sendCommand', 'debugger.detach']);
});

for (const [message, code] of /** @type {[string, string][]} */ ([
  ['No tab with given id 7.', 'tab_gone'],
  ['Cannot access a chrome-extension:// URL of different extension', 'debugger_conflict'],
  ['Another debugger is already attached to the tab with id: 7.', 'debugger_conflict'],
  ['Cannot access a chrome:// URL', 'permission'],
  ['The extensions gallery cannot be scripted.', 'permission'],
])) {
  test(`attaching that fails with ${JSON.stringify(message)} is ${code}, and is tried again`, async () => {
    let n = 0;
    const { dbg } = rig({ attach: () => (n++ === 0 ? fails(message)() : undefined) });
    await assert.rejects(dbg.attach(7), { code });
    await settled();
    await dbg.attach(7);
  });
}

test('an error of the protocol is told from one of the API', async () => {
  const answers = [fails('{"code":-32602,"message":"No dialog is showing"}'), fails('Detached while handling command.'), fails('Debugger is not attached to the tab with id: 7.')];
  const { dbg } = rig({ sendCommand: () => /** @type {any} */ (answers.shift())() });
  await assert.rejects(dbg.send(7, 'Page.handleJavaScriptDialog'), (error) => error instanceof ProtocolError && error.reason === 'No dialog is showing');
  await assert.rejects(dbg.send(7, 'X.y'), { code: 'outcome_unknown' });
  await assert.rejects(dbg.send(7, 'X.y'), { code: 'outcome_unknown' });
});

test('the signal ends the wait for an answer that does not come', async () => {
  const { dbg } = rig({ sendCommand: () => new Promise(() => {}) });
  const stop = new AbortController();
  const sent = dbg.send(7, 'Runtime.evaluate', {}, stop.signal);
  stop.abort(new Error('enough'));
  await assert.rejects(sent, /enough/);
  assert.throws(() => dbg.send(7, 'Runtime.evaluate', {}, stop.signal), /enough/);
});

test('events go to who listens to their tab, but not those of a child session', () => {
  const { dbg } = rig();
  /** @type {string[]} */
  const heard = [];
  const off = dbg.listen(7, (method) => heard.push(method));
  dbg.handleEvent({ tabId: 7 }, 'A', {});
  dbg.handleEvent({ tabId: 8 }, 'B', {});
  dbg.handleEvent(/** @type {any} */ ({ tabId: 7, sessionId: 'x' }), 'C', {});
  off();
  dbg.handleEvent({ tabId: 7 }, 'D', {});
  assert.deepEqual(heard, ['A']);
});

test('a tab that was taken away is attached again by the next command', async () => {
  const { calls, detached, dbg } = rig();
  await dbg.attach(7);
  dbg.handleDetach({ tabId: 7 }, 'target_closed');
  dbg.handleDetach({ tabId: 8 }, 'target_closed');
  await dbg.attach(7);
  assert.deepEqual(detached, [[7, 'target_closed']]);
  assert.equal(calls.filter(([name]) => name === 'debugger.attach').length, 2);
});
