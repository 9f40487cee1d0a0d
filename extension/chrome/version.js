/** The browser's full version, which its user agent string leaves out. @returns {Promise<string>} */
export async function browserVersion() {
  const { userAgentData } = /** @type {any} */ (navigator);
  const { fullVersionList = [] } = await userAgentData.getHighEntropyValues(['fullVersionList']);
  const chromium = fullVersionList.find((/** @type {any} */ b) => b.brand === 'Chromium') ?? fullVersionList[0];
  return chromium?.version ?? 'unknown';
}
