/**
 * Follows the navigations of a tab's main frame: who asks for one, what is committed,
 * and when it has loaded. It listens from its making until close.
 */
export class Navigation {
  /** Whether the page asked for a navigation, or one began, since the watch began. */
  begun = false;
  /** The HTTP status of the last document. @type {number | undefined} */
  status;
  /** @type {string | undefined} the document that was committed last */
  #loader;
  /** @type {Set<string>} loader and state, of all that was reached */
  #reached = new Set();
  /** Whether the page was restored as it was, without loading. */
  #restored = false;
  #stopped = false;
  /** @type {Map<string, number>} the status of a document by its loader */
  #statuses = new Map();
  /** @type {Set<() => void>} */
  #waiting = new Set();
  #tab;
  #main;
  #off;

  /**
   * @param {import('./tab.js').Tab} tab
   * @param {string} main the id of the main frame
   */
  constructor(tab, main) {
    this.#tab = tab;
    this.#main = main;
    this.#off = tab.listen((method, params) => this.#event(method, params));
  }

  /** @param {import('./tab.js').Tab} tab */
  static async watch(tab) {
    const { frameTree } = await tab.send('Page.getFrameTree');
    return new Navigation(tab, frameTree.frame.id);
  }

  close() {
    this.#off();
    this.#waiting.clear();
  }

  /**
   * Waits for the state of a document: of the one named, or of one that replaced it meanwhile.
   *
   * @param {'load'|'DOMContentLoaded'} state
   * @param {string} [loader]
   */
  async reached(state, loader) {
    await this.#until(() => {
      const last = this.#loader ?? loader;
      return this.#restored || (last !== undefined && this.#reached.has(last + state));
    });
    this.status = this.#statuses.get(this.#loader ?? loader ?? '');
  }

  /** The status that came for a document that was not committed. @param {string} loader */
  statusOf(loader) {
    return this.#statuses.get(loader);
  }

  /** Waits until the navigation that began has loaded, or came to nothing. */
  async over() {
    await this.#until(() => {
      if (this.#restored) return true;
      if (this.#loader !== undefined) return this.#reached.has(this.#loader + 'load');
      return this.#stopped;
    });
  }

  /** @param {() => boolean} done */
  async #until(done) {
    const { signal } = this.#tab;
    while (!done()) {
      await new Promise((resolve, reject) => {
        signal.throwIfAborted();
        const end = () => reject(signal.reason);
        signal.addEventListener('abort', end, { once: true });
        this.#waiting.add(() => {
          signal.removeEventListener('abort', end);
          resolve(undefined);
        });
      });
    }
  }

  /**
   * @param {string} method
   * @param {any} params
   */
  #event(method, params) {
    switch (method) {
      case 'Page.frameRequestedNavigation':
        if (params.frameId === this.#main && params.disposition === 'currentTab') this.#begin();
        break;
      case 'Page.frameStartedNavigating':
      case 'Page.frameStartedLoading':
        if (params.frameId === this.#main) this.#begin();
        break;
      case 'Page.frameNavigated':
        if (params.frame.parentId || params.frame.id !== this.#main) return;
        this.begun = true;
        this.#loader = params.frame.loaderId;
        this.#restored = params.type === 'BackForwardCacheRestore';
        break;
      case 'Page.navigatedWithinDocument':
      case 'Page.frameStoppedLoading':
        if (params.frameId === this.#main) this.#stopped = true;
        break;
      case 'Page.lifecycleEvent':
        if (params.frameId === this.#main) this.#reached.add(params.loaderId + params.name);
        break;
      case 'Network.responseReceived':
        if (params.type === 'Document' && params.frameId === this.#main) this.#statuses.set(params.loaderId, params.response.status);
        break;
      default:
        return;
    }
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  #begin() {
    this.begun = true;
    this.#stopped = false;
  }
}
