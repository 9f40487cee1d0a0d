import { Failure } from '../../src/wire/failure.js';
import { ProtocolError } from '../debugger.js';

/** @typedef {import('../tab.js').Tab} Tab */

/** Runs code in the page's own world and returns its value. @param {import('../command.js').Command} command */
export function evaluate(command) {
  const { code, frame, await: awaited = true } = command.args;
  if (frame !== undefined) throw new Failure('unsupported', 'this version of the extension runs code in the main frame alone');
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
  if (plain.unparsed && /Illegal return/.test(plain.unparsed)) return valueOf(await once(tab, `(async function () {\n${code}\n})()`, awaited, { shift: 1 }));
  if (plain.unparsed && /await is only valid/.test(plain.unparsed)) return valueOf(await once(tab, code, awaited, { topLevelAwait: true }));
  return valueOf(plain);
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
 * @param {{shift?: number, topLevelAwait?: boolean}} [how]
 * @returns {Promise<Ran>}
 */
async function once(tab, expression, awaited, { shift = 0, topLevelAwait = false } = {}) {
  try {
    const { result, exceptionDetails } = await tab.send('Runtime.evaluate', {
      expression,
      awaitPromise: awaited,
      returnByValue: true,
      userGesture: true,
      // The mode of a console takes await at the top level, but leaves a promise that is the value as it is.
      replMode: topLevelAwait,
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
  // By value a function is an empty object; JSON has nothing for it.
  if (!thrown) return result.type === 'function' ? null : (result.value ?? null);
  const { description, value } = thrown.exception ?? {};
  const what = description?.split('\n')[0] ?? `Uncaught ${JSON.stringify(value ?? null)}`;
  // A rejected promise has no place of its own, but its error remembers one.
  const line = Number(/<anonymous>:([0-9]+):[0-9]+/.exec(description ?? '')?.[1] ?? thrown.lineNumber + 1) - shift;
  throw new Failure('page_error', line > 0 ? `${what} (line ${line})` : what);
}
