import { Failure } from '../src/wire/failure.js';
import { ProtocolError } from './debugger.js';

/** The name of the isolated world in which the page script lives. */
const world = 'omw';

/** What the page script answers if it is not there yet. */
const absent = 'absent';

/**
 * A tab that a command drives: the way to its protocol and into its page.
 */
export class Tab {
  /** @type {number | undefined} the execution context of our world in the document of now */
  #context;
  #debugger;
  #signal;
  #script;

  /**
   * @param {import('./debugger.js').Debugger} dbg
   * @param {number} id
   * @param {AbortSignal} signal ends every wait
   * @param {() => Promise<string>} script the page script's text
   */
  constructor(dbg, id, signal, script) {
    this.#debugger = dbg;
    this.id = id;
    this.#signal = signal;
    this.#script = script;
  }

  get signal() {
    return this.#signal;
  }

  /**
   * @param {string} method
   * @param {object} [params]
   * @returns {Promise<any>}
   */
  send(method, params) {
    return this.#debugger.send(this.id, method, params, this.#signal);
  }

  /** Sends a command that ends something, whatever became of the one that began it. @param {string} method */
  stop(method) {
    this.#debugger.send(this.id, method).catch(() => {});
  }

  /** @param {import('./debugger.js').Listener} listener */
  listen(listener) {
    return this.#debugger.listen(this.id, listener);
  }

  /**
   * Calls a function of the page script that changes nothing: if the page navigates
   * meanwhile, it is called again in the new one.
   *
   * @param {string} name
   * @param {Record<string, unknown>} [args]
   * @returns {Promise<any>}
   */
  ask(name, args = {}) {
    return this.#call(name, args, true);
  }

  /**
   * Calls a function of the page script that may change the page: it runs once, or
   * the call fails.
   *
   * @param {string} name
   * @param {Record<string, unknown>} args
   * @returns {Promise<any>}
   */
  act(name, args) {
    return this.#call(name, args, false);
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} args
   * @param {boolean} again
   */
  async #call(name, args, again) {
    // A text comes through the debugger far faster than the objects it stands for.
    const expression = `typeof omwPage === 'undefined' ? '${absent}' : omwPage.call(${JSON.stringify(name)}, ${JSON.stringify(args)})`;
    for (let tries = 0; ; tries++) {
      const answer = await this.#evaluate(expression, again);
      if (answer === absent) await this.#evaluate(await this.#script(), true);
      else if (answer !== undefined) return unwrap(JSON.parse(answer));
      if (tries === 5) throw new Failure('outcome_unknown', 'the page keeps navigating; wait for it and look before you send the command again');
    }
  }

  /**
   * Evaluates in our world; undefined if the document went away before it began, or
   * meanwhile if it may be done again.
   *
   * @param {string} expression
   * @param {boolean} again
   * @returns {Promise<string | undefined>}
   */
  async #evaluate(expression, again) {
    try {
      if (this.#context === undefined) {
        const { frameTree } = await this.send('Page.getFrameTree');
        const { executionContextId } = await this.send('Page.createIsolatedWorld', { frameId: frameTree.frame.id, worldName: world });
        this.#context = executionContextId;
      }
      const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
        expression,
        contextId: this.#context,
        awaitPromise: true,
        returnByValue: true,
      });
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
      return result.value ?? '';
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error;
      this.#context = undefined;
      if (/Cannot find context|uniqueContextId not found|No frame for given id/.test(error.reason)) return undefined;
      if (/context was destroyed|Inspected target navigated/.test(error.reason)) {
        if (again) return undefined;
        throw new Failure('outcome_unknown', 'the page navigated while the command ran; look at it before you send the command again');
      }
      throw error;
    }
  }
}

/** @param {{ok?: unknown, failure?: {code: import('../src/wire/failure.js').Code, message: string}}} answer */
function unwrap(answer) {
  if (answer.failure) throw new Failure(answer.failure.code, answer.failure.message);
  return answer.ok;
}
