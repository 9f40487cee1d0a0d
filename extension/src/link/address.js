/** Where the daemon listens unless the person says otherwise. */
export const defaultAddress = '127.0.0.1:17373';

/**
 * Reads an address as the person typed it. The daemon listens on 127.0.0.1
 * alone, so that nothing else is one.
 *
 * @param {string} text
 * @returns {string | null} the address, or null if it is none
 */
export function readAddress(text) {
  const m = /^(?:http:\/\/)?127\.0\.0\.1:([0-9]{1,5})\/?$/.exec(text.trim());
  if (!m) return null;
  const port = Number(m[1]);
  return port >= 1 && port <= 65535 ? `127.0.0.1:${port}` : null;
}
