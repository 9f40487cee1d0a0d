/** Shows on the extension's button how the link is. @param {import('../src/link/link.js').LinkState} state */
export function showState(state) {
  const connected = state.phase === 'connected';
  chrome.action.setBadgeText({ text: connected ? '' : state.phase === 'connecting' ? '…' : '!' });
  chrome.action.setBadgeBackgroundColor({ color: '#b3261e' });
  chrome.action.setTitle({ title: connected ? 'oh-my-webbridge: connected' : `oh-my-webbridge: ${state.reason ?? 'connecting'}` });
  chrome.runtime.sendMessage({ state }).catch(() => {}); // no page of ours is open
}
