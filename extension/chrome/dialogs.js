/** @typedef {import('../src/session/sessions.js').Sessions} Sessions */
/** @typedef {import('../src/session/sessions.js').Dialog} Dialog */

/**
 * The open dialogs of controlled tabs. They stand in the session's metadata, so
 * that a worker that takes over knows of them.
 */
export class Dialogs {
  /** @type {Map<number, Set<(dialog: Dialog) => void>>} */
  #waiting = new Map();
  /** @type {Set<number>} */
  #closing = new Set();
  #sessions;
  #debugger;
  #report;

  /**
   * @param {Sessions} sessions
   * @param {import('./debugger.js').Debugger} dbg
   * @param {(event: Record<string, unknown>) => void} report
   */
  constructor(sessions, dbg, report) {
    this.#sessions = sessions;
    this.#debugger = dbg;
    this.#report = report;
  }

  /**
   * @param {number} tab
   * @param {string} method
   * @param {any} params
   */
  handleEvent(tab, method, params) {
    if (method === 'Page.javascriptDialogOpening') this.#opened(tab, { type: params.type, message: params.message });
    if (method === 'Page.javascriptDialogClosed') this.#closed(tab);
  }

  /** @param {number} tab @returns {Dialog | undefined} */
  open(tab) {
    return this.#sessions.owner(tab)?.held.dialog;
  }

  /**
   * Calls call when a dialog opens in the tab, until the function returned is called.
   *
   * @param {number} tab
   * @param {(dialog: Dialog) => void} call
   */
  onOpen(tab, call) {
    let all = this.#waiting.get(tab);
    if (!all) this.#waiting.set(tab, (all = new Set()));
    all.add(call);
    return () => {
      all.delete(call);
      if (all.size === 0 && this.#waiting.get(tab) === all) this.#waiting.delete(tab);
    };
  }

  /** From here on the tab's dialogs are accepted: it is being closed, and beforeunload must not stop that. @param {number} tab */
  closing(tab) {
    this.#closing.add(tab);
  }

  /** @param {number} tab */
  forget(tab) {
    this.#closing.delete(tab);
    this.#waiting.delete(tab);
  }

  /**
   * Dismisses the tab's dialog if one is open, and keeps it to be told.
   *
   * @param {number} tab
   */
  async dismiss(tab) {
    const held = this.#sessions.owner(tab)?.held;
    if (!held?.dialog) return;
    await this.#debugger.send(tab, 'Page.handleJavaScriptDialog', { accept: false }).catch(() => {});
    this.noteDismissed(tab);
  }

  /** Marks the dialog that was open in the tab as dismissed. @param {number} tab */
  noteDismissed(tab) {
    const held = this.#sessions.owner(tab)?.held;
    if (!held?.dialog) return;
    held.dismissed = { ...held.dialog, dismissed: true };
    delete held.dialog;
  }

  /**
   * @param {number} tab
   * @param {Dialog} dialog
   */
  #opened(tab, dialog) {
    if (this.#closing.has(tab)) {
      this.#debugger.send(tab, 'Page.handleJavaScriptDialog', { accept: true }).catch(() => {});
      return;
    }
    const owner = this.#sessions.owner(tab);
    if (!owner) return;
    owner.held.dialog = dialog;
    this.#sessions.save();
    this.#report({ event: 'dialog_opened', session: owner.session.name, tab, dialog });
    for (const call of [...(this.#waiting.get(tab) ?? [])]) call(dialog);
  }

  /** @param {number} tab */
  #closed(tab) {
    const owner = this.#sessions.owner(tab);
    if (!owner?.held.dialog) return;
    delete owner.held.dialog;
    this.#sessions.save();
    this.#report({ event: 'dialog_closed', session: owner.session.name, tab });
  }
}
