/** @typedef {import('../wire/failure.js').Code} Code */

/** What a page function ends with: the wire's code and a message. */
export class Refusal extends Error {
  /**
   * @param {Code} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

const reference = /^(?:@|ref=)?e([0-9]{1,16})$/;

/**
 * Returns the element that a command's ref or selector names. A selector may be a
 * reference too; CSS that matches nothing gives null, since it may still come.
 *
 * @param {{ref?: string, selector?: string}} target
 * @param {import('../snapshot/references.js').References} references
 * @returns {Element | null}
 */
export function locate(target, references) {
  const given = target.ref ?? target.selector ?? '';
  const number = reference.exec(given)?.[1];
  if (number !== undefined) {
    const found = references.find(Number(number));
    if ('stale' in found) throw new Refusal('stale_ref', `@e${number} cannot be used: ${found.stale}; take a snapshot`);
    return found.node;
  }
  try {
    return document.querySelector(given);
  } catch {
    throw new Refusal('bad_request', `${JSON.stringify(given)} is neither a reference (@e5) nor a CSS selector`);
  }
}
