import { Failure, wireError } from '../wire/failure.js';
import { limits, ownTime } from '../wire/limits.js';

/** @typedef {import('../link/link.js').CommandFrame} Command */
/** @typedef {{ok: true, data: Record<string, unknown>} | {ok: false, error: {code: string, message: string}}} Result */

/**
 * What runs a command. It must stop at the signal: the session goes on then.
 *
 * @typedef {(command: Command, signal: AbortSignal, until: number) => Promise<Record<string, unknown>>} Run
 */

/** The actions that run beside their session's queue, so that a stuck session can still be cleared (CMD-08). */
const beside = new Set(['dialog', 'close_session', 'cdp_detach', 'artifact_close', 'artifact_read']);

/** The daemon's own, which belong to no session. */
const internal = new Set(['artifact_close', 'artifact_read']);

/**
 * Orders commands: one of a session runs and 32 wait (CMD-06, LIMIT-04), sessions
 * run beside each other (CMD-07). A command whose time has passed is answered and,
 * if it has not begun, never begins.
 */
export class Queue {
  /** @type {Map<string, {running: Task | null, waiting: Task[]}>} */
  #lanes = new Map();
  /** @type {Set<Task>} */
  #all = new Set();
  #run;
  #clock;

  /**
   * @param {Run} run
   * @param {import('../wire/clock.js').Clock} clock
   */
  constructor(run, clock) {
    this.#run = run;
    this.#clock = clock;
  }

  /**
   * Takes a command; answer is called once, or never if drop comes before.
   *
   * @param {Command} command
   * @param {(result: Result) => void} answer
   */
  submit(command, answer) {
    const task = new Task(command, answer, this.#clock.now() + ownTime(command.deadline_ms));
    const busy = !beside.has(command.action) && !this.#enqueue(task);
    if (busy) {
      answer({ ok: false, error: { code: 'busy', message: `${limits.waiting} commands of this session wait in the extension; send it again later` } });
      return;
    }
    this.#all.add(task);
    task.timer = this.#clock.setTimeout(() => this.#late(task), task.until - this.#clock.now());
    if (command.action === 'close_session') this.#clear(task);
    if (beside.has(command.action) || this.#lanes.get(command.session)?.running === task) this.#begin(task);
  }

  /** How many commands of the session wait. @param {string} session */
  waiting(session) {
    return this.#lanes.get(session)?.waiting.length ?? 0;
  }

  /** Forgets everything, as a lost connection demands: nothing is answered and nothing begins any more (CMD-05). */
  drop() {
    for (const task of this.#all) {
      task.settled = true;
      this.#clock.clearTimeout(task.timer);
      task.stop.abort(new Failure('outcome_unknown', 'the connection to the daemon was lost'));
    }
    this.#all.clear();
    this.#lanes.clear();
  }

  /** @param {Task} task */
  #enqueue(task) {
    const { session } = task.command;
    let lane = this.#lanes.get(session);
    if (!lane) this.#lanes.set(session, (lane = { running: null, waiting: [] }));
    if (!lane.running) lane.running = task;
    else if (lane.waiting.length >= limits.waiting) return false;
    else lane.waiting.push(task);
    return true;
  }

  /** @param {Task} task */
  async #begin(task) {
    // The timer that ends it may fire after the one before it has ended.
    if (this.#clock.now() >= task.until) return this.#late(task);
    task.begun = true;
    try {
      const data = await orAborted(this.#run(task.command, task.stop.signal, task.until), task.stop.signal);
      this.#settle(task, { ok: true, data });
    } catch (error) {
      this.#settle(task, { ok: false, error: wireError(error) });
    }
  }

  /** @param {Task} task */
  #late(task) {
    const message = task.begun
      ? 'the time of the command passed while it ran; look at the page before you send it again'
      : 'the time of the command passed while it waited behind others of its session; it did not start';
    this.#settle(task, { ok: false, error: { code: 'outcome_unknown', message } });
  }

  /**
   * @param {Task} task
   * @param {Result} result
   */
  #settle(task, result) {
    if (task.settled) return;
    task.settled = true;
    this.#all.delete(task);
    this.#clock.clearTimeout(task.timer);
    // The place is free before the answer can bring the next command.
    const next = this.#leave(task);
    task.answer(result);
    task.stop.abort(new Failure('outcome_unknown', 'the command is over'));
    if (next) this.#begin(next);
  }

  /** @param {Task} task @returns {Task | null} the next of its session to begin */
  #leave(task) {
    const { session, action } = task.command;
    const lane = this.#lanes.get(session);
    if (!lane || beside.has(action)) return null;
    if (lane.running !== task) {
      lane.waiting = lane.waiting.filter((other) => other !== task);
      return null;
    }
    lane.running = lane.waiting.shift() ?? null;
    if (!lane.running) this.#lanes.delete(session);
    return lane.running;
  }

  /** Ends all else of the session: what waits first, so that nothing of it begins. @param {Task} closing */
  #clear(closing) {
    const { session } = closing.command;
    const others = [...this.#all].filter((t) => t !== closing && t.command.session === session && !internal.has(t.command.action));
    for (const task of others.filter((t) => !t.begun)) {
      this.#settle(task, { ok: false, error: { code: 'session_closed', message: 'the session was closed before the command started' } });
    }
    for (const task of others) {
      this.#settle(task, { ok: false, error: { code: 'outcome_unknown', message: 'the session was closed while the command ran' } });
    }
  }
}

class Task {
  begun = false;
  settled = false;
  stop = new AbortController();
  /** @type {unknown} */
  timer = null;

  /**
   * @param {Command} command
   * @param {(result: Result) => void} answer
   * @param {number} until when it must be answered
   */
  constructor(command, answer, until) {
    this.command = command;
    this.answer = answer;
    this.until = until;
  }
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {AbortSignal} signal
 * @returns {Promise<T>}
 */
function orAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
