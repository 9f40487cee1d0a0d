import { Failure } from '../src/wire/failure.js';
import { clock } from '../src/wire/clock.js';
import { limits } from '../src/wire/limits.js';
import { Daemon } from '../src/link/daemon.js';
import { Link } from '../src/link/link.js';
import { Queue } from '../src/queue/queue.js';
import { Sessions } from '../src/session/sessions.js';
import { actions, unbinding } from './actions/index.js';
import { Artifacts, carried } from './artifacts.js';
import { Command } from './command.js';
import { Debugger } from './debugger.js';
import { Dialogs } from './dialogs.js';
import { Jobs } from './jobs.js';
import { readSettings } from './settings.js';
import { showState } from './badge.js';
import { browserVersion } from './version.js';

const alarm = 'wake';

const sessions = new Sessions({ get: (key) => chrome.storage.session.get(key), set: (items) => chrome.storage.session.set(items) });
const dbg = new Debugger(enable, (tab, reason) => report({ event: 'debugger_detached', tab, reason }));
const dialogs = new Dialogs(sessions, dbg, report);
const artifacts = new Artifacts();
/** @type {Promise<string> | undefined} */
let script;
/** @type {import('./command.js').Rooms} */
const rooms = {
  sessions,
  debugger: dbg,
  dialogs,
  artifacts,
  jobs: new Jobs(),
  queue: () => queue,
  script: () => (script ??= fetch(chrome.runtime.getURL('page.js')).then((answer) => answer.text())),
};
const queue = new Queue(perform, clock);
const link = new Link({
  settings: readSettings,
  open: (url, protocols) => new WebSocket(url, protocols),
  daemon: new Daemon((url, init) => fetch(url, init), clock),
  clock,
  random: Math.random,
  hello: greeting,
  onCommand: (frame, answer) => queue.submit(frame, answer),
  onLost: () => {
    queue.drop();
    artifacts.clear();
  },
  onState: showState,
});

// An event that starts the worker reaches only listeners that its first turn registers.
chrome.debugger.onEvent.addListener((source, method, params) => {
  if (source.tabId !== undefined && !source.sessionId) dialogEvent(source.tabId, method, params);
  dbg.handleEvent(source, method, params);
});
chrome.debugger.onDetach.addListener((source, reason) => dbg.handleDetach(source, reason));
chrome.tabs.onRemoved.addListener((tab) => ready.then(() => removed(tab)));
chrome.tabs.onReplaced.addListener((_added, tab) => ready.then(() => removed(tab)));
chrome.alarms.onAlarm.addListener(() => link.wake());
chrome.runtime.onStartup.addListener(() => link.wake());
chrome.runtime.onInstalled.addListener(() => link.wake());
chrome.action.onClicked.addListener(() => chrome.runtime.openOptionsPage());
chrome.runtime.onMessage.addListener((message, _sender, answer) => {
  if (message === 'state') answer(link.state);
  if (message === 'settings changed') link.restart();
});

const loaded = sessions.load();
/** What must be done before a command may run, or hello be said. */
const ready = boot();
let booted = false;
link.wake();

async function boot() {
  await loaded;
  await dbg.detachInherited();
  for (const { tabs } of sessions.all) {
    for (const { tab } of [...tabs]) {
      dialogs.noteDismissed(tab);
      if (!(await chrome.tabs.get(tab).catch(() => null))) sessions.lose(tab);
    }
  }
  await sessions.save();
  booted = true;
  if (!(await chrome.alarms.get(alarm))) await chrome.alarms.create(alarm, { periodInMinutes: limits.alarmMinutes });
}

/**
 * @param {number} tab
 * @param {string} method
 * @param {unknown} params
 */
function dialogEvent(tab, method, params) {
  if (booted) dialogs.handleEvent(tab, method, params);
  // The start-up closes what is open and says so itself; what opens meanwhile must be known to it.
  else if (method === 'Page.javascriptDialogOpening') loaded.then(() => dialogs.handleEvent(tab, method, params));
}

async function greeting() {
  await ready;
  return {
    browser: 'chrome',
    browser_version: await browserVersion(),
    extension_version: chrome.runtime.getManifest().version,
    sessions: sessions.names,
    file_access: await chrome.extension.isAllowedFileSchemeAccess(),
  };
}

/** Switches on what every controlled tab needs; a dialog that opens before Page is on freezes it. @param {number} tab */
function enable(tab) {
  const needs = /** @type {[string, object][]} */ ([
    ['Page.enable', {}],
    ['Page.setLifecycleEventsEnabled', { enabled: true }],
    ['Network.enable', {}],
    // A page in the background gets no animation frames and thinks itself unfocused; this one is told that it is in front.
    ['Emulation.setFocusEmulationEnabled', { enabled: true }],
  ]);
  return Promise.all(needs.map(([method, params]) => dbg.send(tab, method, params)));
}

/**
 * @param {import('../src/link/link.js').CommandFrame} frame
 * @param {AbortSignal} signal
 * @param {number} until
 */
async function perform(frame, signal, until) {
  await ready;
  signal.throwIfAborted();
  const action = actions.get(frame.action);
  if (!action) throw new Failure('unsupported', `this version of the extension does not do ${frame.action} yet`);
  if (!unbinding.has(frame.action) && !sessions.get(frame.session)) {
    sessions.begin(frame.session);
    await sessions.save();
  }
  return carried(artifacts, await action(new Command(rooms, frame, signal, until)), until);
}

/** @param {number} tab */
async function removed(tab) {
  dialogs.forget(tab);
  const session = sessions.lose(tab);
  if (!session) return;
  await sessions.save();
  report({ event: 'tab_closed', session: session.name, tab });
}

/** @param {Record<string, unknown>} event */
function report(event) {
  link.send({ type: 'event', ...event });
}
