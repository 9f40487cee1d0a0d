import { Failure } from '../../src/wire/failure.js';
import { ProtocolError } from '../debugger.js';

/** @typedef {import('../tab.js').Tab} Tab */

/** Runs code in the page's own world and returns its value. @param {import('../command.js').Command} command */
export function evaluate(command) {
  const { code, await: awaited = true } = command.args;
  return command.onPage(async (tab) => ({ value: await run(tab, code, awaited) }), () => ({ value: null }));
}

/**
 * @param {Tab} tab
 * @param {string} code
 * @param {boolean} awaited
 */
async function run(tab, code, awaited) {
  const trimmed = code.trim();
  if (trimmed.startsWith('{')) {
    // By itself { begins a block; an agent that writes an object means one.
    const object = await once(tab, `(${trimmed}\n)`, awaited);
    if (!object.unparsed) return valueOf(object);
  }
  const plain = await once(tab, code, awaited);
  if (!plain.unparsed || !/Illegal return/.test(plain.unparsed)) return valueOf(plain);
  return valueOf(await once(tab, `(async function () {\n${code}\n})()`, awaited, 1));
}

/**
 * @typedef {object} Ran
 * @property {any} result
 * @property {any} [thrown]
 * @property {string} [unparsed] set if the code is none, so that nothing ran
 * @property {number} shift lines that stand before the code
 */

/**
 * @param {Tab} tab
 * @param {string} expression
 * @param {boolean} awaited
 * @param {number} [shift]
 * @returns {Promise<Ran>}
 */
async function once(tab, expression, awaited, shift = 0) {
  try {
    const { result, exceptionDetails } = await tab.send('Runtime.evaluate', {
      expression,
      awaitPromise: awaited,
      returnByValue: true,
      userGesture: true,
      replMode: !awaited ? false : true,
      allowUnsafeEvalBlockedByCSP: true,
    });
    const description = exceptionDetails?.exception?.description;
    // What throws while it runs has a stack; what does not even parse has none.
    const parsed = !exceptionDetails || exceptionDetails.exception?.className !== 'SyntaxError' || /\n\s+at /.test(description ?? '');
    return { result, thrown: exceptionDetails, ...(parsed ? {} : { unparsed: description }), shift };
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    if (/navigated|context was destroyed|Cannot find context/.test(error.reason)) {
      throw new Failure('outcome_unknown', 'the page navigated while the code ran; look at it before you run it again');
    }
    if (/by value|reference chain/.test(error.reason)) {
      throw new Failure('page_error', `the code ran, but its value has no JSON: ${error.reason}; return a part of it`);
    }
    throw error;
  }
}

/** @param {Ran} ran */
function valueOf({ result, thrown, shift }) {
  if (thrown) {
    const what = thrown.exception?.description?.split('\n')[0] ?? `Uncaught ${JSON.stringify(thrown.exception?.value ?? null)}`;
    throw new Failure('page_error', `${what} (line ${thrown.lineNumber + 1 - shift})`);
  }
  return result.value ?? null;
}
