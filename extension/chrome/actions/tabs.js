import { Failure } from '../../src/wire/failure.js';
import { tabInfo } from '../tabs.js';

/** @typedef {import('../command.js').Command} Command */

/** The tabs of the session. @param {Command} command */
async function mine({ rooms, name }) {
  const { sessions } = rooms;
  const tabs = await Promise.all((sessions.get(name)?.tabs ?? []).map(({ tab }) => chrome.tabs.get(tab).catch(() => null)));
  return { tabs: tabs.filter((tab) => tab !== null).map((tab) => tabInfo(sessions, tab, name)) };
}

/** Lists the session's tabs; with all the person's too, never those of an incognito window. @param {Command} command */
export async function tabs(command) {
  const { args, rooms, name } = command;
  if (args.tab === undefined && !args.all) return mine(command);
  const all = (await chrome.tabs.query({ windowType: 'normal' })).filter((tab) => !tab.incognito);
  const wanted = args.tab === undefined ? all : all.filter((tab) => tab.id === args.tab);
  return { tabs: wanted.map((tab) => tabInfo(rooms.sessions, tab, name)) };
}

/** Shows a tab of the session and makes it its current one. @param {Command} command */
export async function switchTab(command) {
  const { tab } = await command.held();
  command.session.current = tab;
  await command.rooms.sessions.save();
  const { windowId } = await chrome.tabs.update(tab, { active: true }).then((t) => /** @type {chrome.tabs.Tab} */ (t));
  await chrome.windows.update(windowId, { focused: true });
  return mine(command);
}

/** Closes a tab of the session. @param {Command} command */
export async function closeTab(command) {
  const held = await command.held();
  if (held.dialog) {
    throw new Failure('dialog_open', `the page shows a dialog: ${JSON.stringify(held.dialog.message)}; answer it with dialog first`);
  }
  await close(command, held.tab);
  await command.rooms.sessions.save();
  return mine(command);
}

/**
 * @param {Command} command
 * @param {number} tab
 */
async function close({ rooms }, tab) {
  const { sessions, dialogs } = rooms;
  await dialogs.dismiss(tab);
  dialogs.closing(tab);
  sessions.leave(tab);
  // The debugger stays until the tab is gone: it answers the dialog that beforeunload may open.
  await chrome.tabs.remove(tab).catch(() => {});
}

/** Ends the session: closes the tabs that it opened. @param {Command} command */
export async function closeSession(command) {
  const { rooms, name } = command;
  const session = rooms.sessions.get(name);
  /** @type {number[]} */
  const closed = [];
  for (const { tab, borrowed } of [...(session?.tabs ?? [])]) {
    if (borrowed) continue;
    await close(command, tab);
    closed.push(tab);
  }
  rooms.sessions.end(name);
  await rooms.sessions.save();
  return { closed, released: [] };
}

/** Lists the sessions. @param {Command} command */
export async function sessions({ rooms }) {
  return {
    sessions: rooms.sessions.all.map(({ name, tabs, current }) => ({
      session: name,
      tabs: tabs.length,
      ...(current !== null ? { current } : {}),
      waiting: rooms.queue().waiting(name),
    })),
  };
}
