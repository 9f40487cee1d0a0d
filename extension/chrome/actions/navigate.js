import { Failure } from '../../src/wire/failure.js';
import { ProtocolError } from '../debugger.js';
import { Navigation } from '../navigation.js';
import { openTab } from '../tabs.js';

/** @typedef {import('../command.js').Command} Command */
/** @typedef {import('../tab.js').Tab} Tab */

/** Pages that Chrome lets no extension drive: going there would only lose the tab. */
const chromesOwn = /^\s*(?:chrome|chrome-search|chrome-untrusted|devtools|edge|view-source):/i;

/** Where the tab is, of what Chrome knows without its page. @param {number} tab */
export async function placeOf(tab) {
  const { url, pendingUrl, title } = await chrome.tabs.get(tab);
  return { tab, url: url || pendingUrl || '', title: title ?? '' };
}

/** Opens a URL in the session's tab, or in a new one. @param {Command} command */
export async function navigate(command) {
  const { args, session, rooms } = command;
  const { sessions } = rooms;
  const current = session.current !== null && sessions.owner(session.current)?.session === session;
  if (/^\s*javascript:/i.test(args.url)) throw new Failure('bad_request', 'navigate goes to a page; evaluate runs code');
  if (chromesOwn.test(args.url)) throw new Failure('permission', 'Chrome lets no extension drive its own pages; go to a page of the web');
  if (args.tab === undefined && (args.new_tab || !current)) {
    await openTab(sessions, session, args.group_title);
    return command.drive(session.tabs[session.tabs.length - 1], (tab) => go(tab, args), (held) => placeOf(held.tab));
  }
  return command.onPage((tab) => go(tab, args), (held) => placeOf(held.tab));
}

/**
 * @param {Tab} tab
 * @param {Record<string, any>} args
 */
async function go(tab, args) {
  const navigation = await Navigation.watch(tab);
  try {
    const { loaderId, errorText } = await begin(tab, args.url);
    if (errorText) {
      const status = loaderId && navigation.statusOf(loaderId);
      if (status === 204 || status === 205) return { ...(await placeOf(tab.id)), status, no_content: true };
      throw new Failure('navigation_failed', `${args.url} could not be loaded: ${errorText}`);
    }
    if (args.wait === 'none') return await placeOf(tab.id);
    // Without a loader the document stays: only the part behind # has changed.
    if (loaderId) await navigation.reached(args.wait === 'domcontentloaded' ? 'DOMContentLoaded' : 'load', loaderId);
    const { url, title } = await tab.ask('where');
    return { tab: tab.id, url, title, ...(navigation.status ? { status: navigation.status } : {}) };
  } finally {
    navigation.close();
  }
}

/**
 * @param {Tab} tab
 * @param {string} url
 */
async function begin(tab, url) {
  try {
    return await tab.send('Page.navigate', { url });
  } catch (error) {
    if (error instanceof ProtocolError && /local URL is not allowed/.test(error.reason)) {
      throw new Failure('permission', 'files need "Allow access to file URLs", in the details of the extension at chrome://extensions');
    }
    if (error instanceof ProtocolError) throw new Failure('navigation_failed', `${url} could not be opened: ${error.reason}`);
    throw error;
  }
}

/** Loads the page again. @param {Command} command */
export function reload(command) {
  return command.onPage((tab) => moved(tab, () => tab.send('Page.reload')), (held) => placeOf(held.tab));
}

/** Goes back or forward in the tab's history; at its end it stays. @param {Command} command @param {1 | -1} by */
export function travel(command, by) {
  return command.onPage(
    async (tab) => {
      const { currentIndex, entries } = await tab.send('Page.getNavigationHistory');
      const entry = entries[currentIndex + by];
      if (!entry) return { tab: tab.id, ...(await tab.ask('where')) };
      return moved(tab, () => tab.send('Page.navigateToHistoryEntry', { entryId: entry.id }));
    },
    (held) => placeOf(held.tab),
  );
}

/**
 * @param {Tab} tab
 * @param {() => Promise<unknown>} move
 */
async function moved(tab, move) {
  const navigation = await Navigation.watch(tab);
  try {
    await move();
    await navigation.over();
    return { tab: tab.id, ...(await tab.ask('where')) };
  } finally {
    navigation.close();
  }
}
