const bytes = new TextEncoder();

/** @param {Uint8Array} b */
function base64url(b) {
  return btoa(String.fromCharCode(...b)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** A nonce of GET /ping: 32 random bytes in base64url. */
export function newNonce() {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/**
 * What GET /ping?nonce= must answer as proof: the HMAC-SHA-256 of "omw-ping:" and
 * the nonce under the token. Only who knows the token already is shown it (AUTH-20).
 *
 * @param {string} token
 * @param {string} nonce
 */
export async function proof(token, nonce) {
  const key = await crypto.subtle.importKey('raw', bytes.encode(token), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes.encode('omw-ping:' + nonce))));
}
