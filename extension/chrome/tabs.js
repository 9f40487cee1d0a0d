import { Failure } from '../src/wire/failure.js';
import { limits } from '../src/wire/limits.js';
import { groupColor, groupTitle } from '../src/session/title.js';

/** @typedef {import('../src/session/sessions.js').Session} Session */
/** @typedef {import('../src/session/sessions.js').Sessions} Sessions */

/** @param {number} tab */
export async function exists(tab) {
  try {
    await chrome.tabs.get(tab);
    return true;
  } catch {
    // There is none, or the number is one that no tab can have.
    return false;
  }
}

/**
 * Opens a tab of the session in the background, in the window used last, and puts it into
 * the session's group (TAB-02).
 *
 * @param {Sessions} sessions
 * @param {Session} session
 * @param {string} [title] of the group, where the command names one
 * @returns {Promise<number>}
 */
export async function openTab(sessions, session, title) {
  if (session.tabs.length >= limits.tabs) {
    throw new Failure('busy', `the session has ${limits.tabs} tabs, as many as a session may have; close_tab closes one`);
  }
  const tab = await create();
  if (sessions.get(session.name) !== session) {
    await chrome.tabs.remove(tab);
    throw new Failure('outcome_unknown', 'the session was closed while the tab was being opened');
  }
  sessions.add(session, tab, false);
  await sessions.save();
  await group(session, tab, title);
  await sessions.save();
  return tab;
}

/** @returns {Promise<number>} */
async function create() {
  const window = await chrome.windows.getLastFocused({ windowTypes: ['normal'] }).catch(() => undefined);
  if (window?.id !== undefined && !window.incognito) {
    const tab = await chrome.tabs.create({ windowId: window.id, url: 'about:blank', active: false });
    return /** @type {number} */ (tab.id);
  }
  const opened = await chrome.windows.create({ url: 'about:blank', focused: false });
  return /** @type {number} */ (opened?.tabs?.[0].id);
}

/**
 * @param {Session} session
 * @param {number} tab
 * @param {string} [title]
 */
async function group(session, tab, title) {
  try {
    if (session.group !== null) await chrome.tabs.group({ groupId: session.group, tabIds: [tab] });
  } catch {
    // Its last tab has gone, and the group with it.
    session.group = null;
  }
  const fresh = session.group === null;
  if (session.group === null) session.group = await chrome.tabs.group({ tabIds: [tab] });
  if (fresh || title) {
    await chrome.tabGroups.update(session.group, { title: groupTitle(session.name, title), color: groupColor(session.name) });
  }
}

/**
 * What the wire says of a tab.
 *
 * @param {Sessions} sessions
 * @param {chrome.tabs.Tab} tab
 * @param {string} asking the session that asks
 */
export function tabInfo(sessions, tab, asking) {
  const owner = sessions.owner(tab.id ?? -1);
  return {
    tab: tab.id,
    url: tab.pendingUrl || tab.url || '',
    title: tab.title ?? '',
    current: owner !== undefined && owner.session.name === asking && owner.session.current === tab.id,
    active: tab.active,
    borrowed: owner?.held.borrowed ?? false,
    ...(owner ? { session: owner.session.name } : {}),
    window: tab.windowId,
  };
}
