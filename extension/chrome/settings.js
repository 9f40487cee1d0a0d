import { defaultAddress } from '../src/link/address.js';

/** What the setup page has kept: where the daemon is, and its token. @returns {Promise<import('../src/link/link.js').Settings>} */
export async function readSettings() {
  const { address, token } = /** @type {{address?: string, token?: string}} */ (await chrome.storage.local.get(['address', 'token']));
  return { address: address ?? defaultAddress, token };
}
