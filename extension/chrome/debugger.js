import { Failure } from '../src/wire/failure.js';

/** An error that Chrome's debugger answered with. */
export class ProtocolError extends Error {
  /**
   * @param {string} method
   * @param {string} message
   */
  constructor(method, message) {
    super(`${method}: ${message}`);
    this.reason = message;
  }
}

/** @typedef {(method: string, params: any) => void} Listener */

/**
 * chrome.debugger, a tab at a time: it attaches on the first command, tells the
 * errors of the API from those of the protocol, and hands events to whoever
 * listens to the tab.
 */
export class Debugger {
  /** @type {Map<number, Promise<void>>} */
  #attached = new Map();
  /** @type {Map<number, Set<Listener>>} */
  #listeners = new Map();
  #onAttached;
  #onDetached;

  /**
   * @param {(tab: number) => Promise<unknown>} onAttached is called when a tab is attached, before any other command reaches
   *   it; commands wait for its end
   * @param {(tab: number, reason: string) => void} onDetached is called when a tab is detached and we did not ask for it
   */
  constructor(onAttached, onDetached) {
    this.#onAttached = onAttached;
    this.#onDetached = onDetached;
  }

  /**
   * Detaches what an earlier worker left attached, which lets go the requests that
   * it had paused (LIFE-06). An open dialog is dismissed first: detaching
   * with one open makes the tab unreachable for good.
   */
  async detachInherited() {
    const targets = await chrome.debugger.getTargets();
    // attached is true for any DevTools client, so that an error says only that it was not us.
    const tabs = targets.filter((t) => t.attached && t.tabId !== undefined).map((t) => ({ tabId: t.tabId }));
    await Promise.all(
      tabs.map(async (tab) => {
        await chrome.debugger.sendCommand(tab, 'Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
        await chrome.debugger.detach(tab).catch(() => {});
      }),
    );
  }

  /** @param {number} tab */
  isAttached(tab) {
    return this.#attached.has(tab);
  }

  /**
   * Attaches to the tab unless it is attached.
   *
   * @param {number} tab
   * @returns {Promise<void>}
   */
  attach(tab) {
    let attaching = this.#attached.get(tab);
    if (!attaching) {
      attaching = this.#attach(tab);
      this.#attached.set(tab, attaching);
      attaching.catch(() => this.#attached.delete(tab));
    }
    return attaching;
  }

  /** @param {number} tab */
  async #attach(tab) {
    try {
      await chrome.debugger.attach({ tabId: tab }, '1.3');
    } catch (error) {
      throw apiFailure(tab, /** @type {Error} */ (error).message);
    }
    if (await soon(this.#onAttached(tab))) return;
    // A dialog that opened while nobody watched keeps the page from answering, and is beyond the debugger's reach.
    await chrome.debugger.detach({ tabId: tab }).catch(() => {});
    throw new Failure('dialog_open', 'the page does not answer: it shows a dialog that opened while nobody watched it; answer it by hand, or close_tab');
  }

  /** @param {number} tab */
  async detach(tab) {
    if (!this.#attached.delete(tab)) return;
    await chrome.debugger.detach({ tabId: tab }).catch(() => {});
  }

  /**
   * Sends a command of the protocol to a tab that is attached.
   *
   * @param {number} tab
   * @param {string} method
   * @param {object} [params]
   * @param {AbortSignal} [signal] at it the wait ends; the command may have an effect all the same
   * @returns {Promise<any>}
   */
  send(tab, method, params, signal) {
    signal?.throwIfAborted();
    const sent = chrome.debugger.sendCommand({ tabId: tab }, method, /** @type {any} */ (params ?? {})).catch((error) => {
      throw protocolFailure(tab, method, error.message);
    });
    if (!signal) return sent;
    return new Promise((resolve, reject) => {
      const end = () => reject(signal.reason);
      signal.addEventListener('abort', end, { once: true });
      sent.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    });
  }

  /**
   * Calls listener with the events of the tab until the function returned is called.
   *
   * @param {number} tab
   * @param {Listener} listener
   */
  listen(tab, listener) {
    let all = this.#listeners.get(tab);
    if (!all) this.#listeners.set(tab, (all = new Set()));
    all.add(listener);
    return () => {
      all.delete(listener);
      if (all.size === 0 && this.#listeners.get(tab) === all) this.#listeners.delete(tab);
    };
  }

  /**
   * @param {chrome.debugger.DebuggerSession} source
   * @param {string} method
   * @param {unknown} params
   */
  handleEvent(source, method, params) {
    if (source.tabId === undefined || source.sessionId) return;
    for (const listener of [...(this.#listeners.get(source.tabId) ?? [])]) listener(method, params ?? {});
  }

  /**
   * @param {chrome.debugger.Debuggee} source
   * @param {string} reason
   */
  handleDetach(source, reason) {
    if (source.tabId === undefined || !this.#attached.delete(source.tabId)) return;
    this.#onDetached(source.tabId, reason);
  }
}

/** How long a page that was just attached may take to answer, in milliseconds. */
const answers = 3000;

/** Whether a promise is settled soon. @param {Promise<unknown>} promise @returns {Promise<boolean>} */
function soon(promise) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), answers);
    const settled = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settled, settled);
  });
}

/**
 * @param {number} tab
 * @param {string} message
 * @returns {Error}
 */
function apiFailure(tab, message) {
  if (/No tab with given id/.test(message)) return new Failure('tab_gone', `there is no tab ${tab} any more`);
  if (/different extension/.test(message)) {
    return new Failure('debugger_conflict', "a frame of another extension is in the page, and Chrome lets no debugger near it; switch that extension off for this site");
  }
  if (/Another debugger is already attached/.test(message)) {
    return new Failure('debugger_conflict', 'another extension debugs this tab; end that first');
  }
  if (/Cannot access|Cannot attach|cannot be scripted/.test(message)) {
    return new Failure('permission', `Chrome lets no extension drive this page (${message}); navigate elsewhere`);
  }
  return new Error(message);
}

/**
 * @param {number} tab
 * @param {string} method
 * @param {string} message
 */
function protocolFailure(tab, method, message) {
  // What the protocol answers is JSON, what the API says is a sentence.
  if (message.startsWith('{')) {
    try {
      return new ProtocolError(method, String(JSON.parse(message).message));
    } catch {
      return new ProtocolError(method, message);
    }
  }
  if (/Detached while handling|is not attached/.test(message)) {
    return new Failure('outcome_unknown', 'the debugger was detached from the tab while the command ran; look at the page before you send it again');
  }
  return apiFailure(tab, message);
}
