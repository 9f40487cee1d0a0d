/**
 * Runs act while the tab draws frames. A tab in the background draws one a second at
 * best, and a picture of it may never come; a screencast of 16 by 16 pixels makes
 * it draw as if it were in front, without showing it.
 *
 * @template T
 * @param {import('./tab.js').Tab} tab
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export async function drawing(tab, act) {
  const off = tab.listen((method, params) => {
    if (method === 'Page.screencastFrame') tab.send('Page.screencastFrameAck', { sessionId: params.sessionId }).catch(() => {});
  });
  await tab.send('Page.startScreencast', { format: 'jpeg', quality: 1, maxWidth: 16, maxHeight: 16 });
  try {
    return await act();
  } finally {
    off();
    // The tab may be gone, or wait in a dialog; the answer must not.
    tab.stop('Page.stopScreencast');
  }
}
