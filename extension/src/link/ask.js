import { limits } from '../wire/limits.js';

/**
 * Fetches with a bound on how long the whole answer may take.
 *
 * @param {typeof fetch} fetcher
 * @param {import('../wire/clock.js').Clock} clock
 * @param {string} url
 * @param {RequestInit} init
 * @returns {Promise<{status: number, body: any}>} body is undefined if it is no JSON
 */
export async function ask(fetcher, clock, url, init) {
  const stop = new AbortController();
  const timer = clock.setTimeout(() => stop.abort(), limits.answer);
  try {
    const answer = await fetcher(url, { ...init, signal: stop.signal, cache: 'no-store', redirect: 'error', credentials: 'omit' });
    const text = await answer.text();
    return { status: answer.status, body: parse(text) };
  } finally {
    clock.clearTimeout(timer);
  }
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
