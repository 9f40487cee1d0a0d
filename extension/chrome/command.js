import { Failure } from '../src/wire/failure.js';
import { clock } from '../src/wire/clock.js';
import { ownTime } from '../src/wire/limits.js';
import { addressed } from '../src/session/address.js';
import { Tab } from './tab.js';
import { exists } from './tabs.js';

/** @typedef {import('../src/session/sessions.js').Session} Session */
/** @typedef {import('../src/session/sessions.js').Held} Held */
/** @typedef {import('../src/session/sessions.js').Dialog} Dialog */

/**
 * What the commands share while a worker lives.
 *
 * @typedef {object} Rooms
 * @property {import('../src/session/sessions.js').Sessions} sessions
 * @property {import('./debugger.js').Debugger} debugger
 * @property {import('./dialogs.js').Dialogs} dialogs
 * @property {import('./artifacts.js').Artifacts} artifacts
 * @property {import('./jobs.js').Jobs} jobs
 * @property {() => import('../src/queue/queue.js').Queue} queue
 * @property {() => Promise<string>} script the page script's text
 */

/** Stops an action when its page opens a dialog. */
const raised = Symbol('a dialog was raised');

/**
 * One command while it runs.
 */
export class Command {
  /**
   * @param {Rooms} rooms
   * @param {import('../src/link/link.js').CommandFrame} frame
   * @param {AbortSignal} signal
   * @param {number} until when it must be answered, by the clock
   */
  constructor(rooms, frame, signal, until) {
    this.rooms = rooms;
    this.name = frame.session;
    /** @type {Record<string, any>} */
    this.args = frame.args;
    this.signal = signal;
    this.until = until;
  }

  get session() {
    return this.rooms.sessions.begin(this.name);
  }

  /** How long a wait inside the page may take, so that the page gives up first (CMD-16). */
  get within() {
    return Math.max(0, ownTime(this.until - clock.now()));
  }

  /** The arguments of a page function that looks up a reference. */
  get table() {
    return { session: this.name, references: this.session.references };
  }

  get target() {
    return { ref: this.args.ref, selector: this.args.selector };
  }

  /** @returns {Promise<Held>} the tab that the command addresses */
  async held() {
    return (await addressed(this.rooms.sessions, this.name, this.args.tab, exists)).held;
  }

  /**
   * Runs act on the tab that the command addresses.
   *
   * @param {(tab: Tab) => Promise<Record<string, any>>} act
   * @param {(held: Held) => Record<string, any> | Promise<Record<string, any>>} [onDialog] what the data are if act raises a dialog;
   *   without it there are none then
   */
  async onPage(act, onDialog) {
    return this.drive(await this.held(), act, onDialog);
  }

  /**
   * Runs act on a tab of the session, unless a dialog is open there, and ends it if one opens (TAB-12).
   *
   * @param {Held} held
   * @param {(tab: Tab) => Promise<Record<string, any>>} act
   * @param {(held: Held) => Record<string, any> | Promise<Record<string, any>>} [onDialog]
   */
  async drive(held, act, onDialog) {
    const { dialogs, sessions } = this.rooms;
    if (held.dialog) throw dialogOpen(held.dialog);
    const stop = new AbortController();
    const end = () => stop.abort(this.signal.reason);
    this.signal.addEventListener('abort', end);
    if (this.signal.aborted) end();
    /** @type {Dialog | undefined} */
    let dialog;
    const off = dialogs.onOpen(held.tab, (opened) => {
      dialog = opened;
      stop.abort(raised);
    });
    try {
      await settled(this.rooms.debugger.attach(held.tab), stop.signal);
      const data = await settled(act(new Tab(this.rooms.debugger, held.tab, stop.signal, this.rooms.script)), stop.signal);
      return await this.#told(held, data);
    } catch (error) {
      if (error !== raised || !dialog) throw error;
      if (!onDialog) throw dialogOpen(dialog);
      return { ...(await onDialog(held)), dialog };
    } finally {
      off();
      this.signal.removeEventListener('abort', end);
      await sessions.save();
    }
  }

  /** Adds the dialog that was dismissed so that the tab could go on. @param {Held} held @param {Record<string, any>} data */
  async #told(held, data) {
    if (!held.dismissed) return data;
    const dialog = held.dismissed;
    delete held.dismissed;
    return { ...data, dialog };
  }
}

/** @param {Dialog} dialog */
function dialogOpen(dialog) {
  return new Failure('dialog_open', `the page shows a dialog of type ${dialog.type}: ${JSON.stringify(dialog.message)}; answer it with dialog first`);
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function settled(promise, signal) {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const end = () => reject(signal.reason);
    signal.addEventListener('abort', end, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
  });
}
