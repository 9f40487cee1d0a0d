/**
 * @typedef {object} Dialog
 * @property {'alert'|'confirm'|'prompt'|'beforeunload'} type
 * @property {string} message
 * @property {true} [dismissed]
 */

/**
 * A tab of a session.
 *
 * @typedef {object} Held
 * @property {number} tab
 * @property {boolean} borrowed
 * @property {Dialog} [dialog] what is open in it
 * @property {Dialog} [dismissed] what was dismissed and no answer has told yet
 */

/**
 * What is kept of a session. The references of its snapshots live in their pages.
 *
 * @typedef {object} Session
 * @property {string} name
 * @property {Held[]} tabs in the order in which they came
 * @property {number | null} current the tab that commands without one address; it may be gone
 * @property {number | null} group its tab group
 * @property {number} references how many references its snapshots have named
 */

/**
 * What Sessions needs of chrome.storage.session.
 *
 * @typedef {object} Storage
 * @property {(key: string) => Promise<Record<string, any>>} get
 * @property {(items: Record<string, any>) => Promise<void>} set
 */

const key = 'sessions';

/**
 * The sessions and whose tab is whose. Everything lives in storage.session, so
 * that a stopped worker loses none of it (LIFE-07); a change is answered for only
 * once it is saved.
 */
export class Sessions {
  /** @type {Map<string, Session>} */
  #all = new Map();
  #storage;
  /** @type {Promise<void>} */
  #saved = Promise.resolve();

  /** @param {Storage} storage */
  constructor(storage) {
    this.#storage = storage;
  }

  /** Takes over what an earlier worker saved. */
  async load() {
    const stored = await this.#storage.get(key);
    for (const session of stored[key] ?? []) this.#all.set(session.name, session);
  }

  /** Resolves once all changes so far are saved. Saving goes on in order. */
  save() {
    const items = { [key]: structuredClone([...this.#all.values()]) };
    const saved = this.#saved.then(() => this.#storage.set(items));
    this.#saved = saved.catch(() => {});
    return saved;
  }

  get names() {
    return [...this.#all.keys()];
  }

  get all() {
    return [...this.#all.values()];
  }

  /** @param {string} name @returns {Session | undefined} */
  get(name) {
    return this.#all.get(name);
  }

  /** Returns the session of that name, a new one if there is none. @param {string} name */
  begin(name) {
    let session = this.#all.get(name);
    if (!session) {
      session = { name, tabs: [], current: null, group: null, references: 0 };
      this.#all.set(name, session);
    }
    return session;
  }

  /** @param {string} name */
  end(name) {
    this.#all.delete(name);
  }

  /**
   * Returns who has the tab: at most one session does (TAB-01).
   *
   * @param {number} tab
   * @returns {{session: Session, held: Held} | undefined}
   */
  owner(tab) {
    for (const session of this.#all.values()) {
      const held = session.tabs.find((t) => t.tab === tab);
      if (held) return { session, held };
    }
    return undefined;
  }

  /**
   * Gives the tab to the session and makes it its current one.
   *
   * @param {Session} session
   * @param {number} tab
   * @param {boolean} borrowed
   */
  add(session, tab, borrowed) {
    session.tabs.push({ tab, borrowed });
    session.current = tab;
  }

  /**
   * Takes the tab away from its session, by the session's own wish: the one that came
   * last is its current one then.
   *
   * @param {number} tab
   */
  leave(tab) {
    const session = this.lose(tab);
    if (session && session.current === tab) session.current = session.tabs.at(-1)?.tab ?? null;
  }

  /**
   * Forgets a tab that went away by itself. It stays the current one of its
   * session, so that the next command learns of it and never acts in a neighbour.
   *
   * @param {number} tab
   * @returns {Session | undefined} whose it was
   */
  lose(tab) {
    const owner = this.owner(tab);
    if (!owner) return undefined;
    owner.session.tabs = owner.session.tabs.filter((t) => t !== owner.held);
    return owner.session;
  }
}
