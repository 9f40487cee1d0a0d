import { browserVersion } from '../version.js';

/** Says which browser answers and how it is. @param {import('../command.js').Command} command */
export async function status({ rooms }) {
  const { sessions } = rooms;
  const files = await chrome.extension.isAllowedFileSchemeAccess();
  return {
    browser: 'chrome',
    browser_version: await browserVersion(),
    extension_version: chrome.runtime.getManifest().version,
    file_access: files,
    sessions: sessions.names.length,
    tabs: sessions.all.reduce((sum, session) => sum + session.tabs.length, 0),
    missing: files ? [] : ['Allow access to file URLs, in the details of the extension at chrome://extensions, for file: pages and uploads by path'],
  };
}
