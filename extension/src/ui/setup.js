import { defaultAddress, readAddress } from '../link/address.js';
import { Daemon } from '../link/daemon.js';
import { clock } from '../wire/clock.js';

/** @typedef {import('../link/link.js').LinkState} LinkState */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const get = (id) => /** @type {T} */ (document.getElementById(id));

const card = get('card');
const code = /** @type {HTMLInputElement} */ (get('code'));
const address = /** @type {HTMLInputElement} */ (get('address'));
const daemon = new Daemon((url, init) => fetch(url, init), clock);

/** @type {Record<LinkState['phase'], string>} */
const words = { connected: 'Connected', connecting: 'Connecting…', unpaired: 'Not paired', waiting: 'Not connected' };

/** @param {LinkState} state */
function show(state) {
  card.dataset.phase = state.phase;
  // A status region is read aloud at each change, so that what is the same is not written again.
  const said = state.phase === 'connected' ? `Connected to omw ${state.daemon} at ${state.address}` : words[state.phase];
  if (get('phase').textContent !== said) get('phase').textContent = said;
  const reason = state.phase === 'connected' ? '' : (state.reason ?? '');
  if (get('reason').textContent !== reason) get('reason').textContent = reason;
  get('reason').hidden = reason === '';
  get('again').hidden = state.phase !== 'waiting';
  get('forget').hidden = state.phase === 'unpaired';
}

/**
 * @param {string} id
 * @param {string} text
 * @param {boolean} [good]
 */
function say(id, text, good = false) {
  get(id).textContent = text;
  get(id).classList.toggle('done', good);
}

/** Tells the worker, which begins anew. */
function changed() {
  return chrome.runtime.sendMessage('settings changed').catch(() => {});
}

async function where() {
  const { address: kept } = /** @type {{address?: string}} */ (await chrome.storage.local.get('address'));
  return kept ?? defaultAddress;
}

get('pair').addEventListener('submit', async (event) => {
  event.preventDefault();
  const digits = code.value.replace(/\s/g, '');
  if (!/^[0-9]{6}$/.test(digits)) {
    say('pair-result', 'A pairing code is six digits.');
    code.setAttribute('aria-invalid', 'true');
    code.focus();
    return;
  }
  code.removeAttribute('aria-invalid');
  const button = /** @type {HTMLButtonElement} */ (get('redeem'));
  button.disabled = true;
  say('pair-result', '');
  try {
    const answer = await daemon.pair(await where(), digits);
    if ('refused' in answer) {
      say('pair-result', answer.refused);
      code.select();
      return;
    }
    await chrome.storage.local.set({ token: answer.token });
    code.value = '';
    say('pair-result', 'Paired.', true);
    await changed();
  } finally {
    button.disabled = false;
  }
});

get('place').addEventListener('submit', async (event) => {
  event.preventDefault();
  const read = readAddress(address.value);
  address.removeAttribute('aria-invalid');
  if (read === null) {
    address.setAttribute('aria-invalid', 'true');
    say('address-result', 'The daemon listens on this machine alone: 127.0.0.1, a colon and a port.');
    address.focus();
    return;
  }
  address.value = read;
  await chrome.storage.local.set({ address: read });
  say('address-result', 'Saved.', true);
  await changed();
});

get('again').addEventListener('click', changed);

get('forget').addEventListener('click', async () => {
  await chrome.storage.local.remove('token');
  say('pair-result', 'Forgotten.', true);
  await changed();
  code.focus();
});

chrome.runtime.onMessage.addListener((message) => {
  if (message?.state) show(message.state);
});

async function begin() {
  get('version').textContent = chrome.runtime.getManifest().version;
  address.value = await where();
  const state = await chrome.runtime.sendMessage('state');
  if (state) show(state);
}
begin();
