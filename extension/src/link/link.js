import { limits } from '../wire/limits.js';
import { Backoff } from './backoff.js';
import { Outbox } from './outbox.js';

/**
 * How the link is, for the person: what is, never what is wished.
 *
 * @typedef {object} LinkState
 * @property {'unpaired'|'connecting'|'connected'|'waiting'} phase waiting: not connected, the next try comes
 * @property {string} address
 * @property {string} [reason] why it is not connected, as a sentence
 * @property {string} [daemon] the daemon's version, while connected
 */

/**
 * A socket as the browser has it.
 *
 * @typedef {Pick<WebSocket, 'send'|'close'|'bufferedAmount'|'onopen'|'onmessage'|'onclose'>} Socket
 */

/** @typedef {{address: string, token?: string}} Settings */
/** @typedef {{type: 'command', id: string, session: string, action: string, args: Record<string, any>, deadline_ms: number}} CommandFrame */

/**
 * @typedef {object} LinkNeeds
 * @property {() => Promise<Settings>} settings
 * @property {(url: string, protocols: string[]) => Socket} open
 * @property {Pick<import('./daemon.js').Daemon, 'identify'|'admission'>} daemon
 * @property {import('../wire/clock.js').Clock} clock
 * @property {() => number} random
 * @property {() => Promise<Record<string, unknown>>} hello what hello says beside its type
 * @property {(frame: CommandFrame, answer: (result: Record<string, unknown>) => void) => void} onCommand
 * @property {() => void} onLost is called when a connection ends: nothing of it may be answered or started any more
 * @property {(state: LinkState) => void} onState
 */

/**
 * The one connection to the daemon (LIFE-01 to LIFE-05): it opens a socket once it
 * has seen a proof that the other end knows the token, pings, notices silence and
 * tries again.
 */
export class Link {
  #needs;
  #backoff;
  /** @type {Socket | null} */
  #socket = null;
  /** @type {Outbox | null} */
  #outbox = null;
  /** Set before the first await of a try: boot, an alarm and a message of the setup page come together. */
  #trying = false;
  /** Counts the tries; one that a restart has overtaken stops. */
  #turn = 0;
  /** @type {unknown} */
  #retry = null;
  /** @type {unknown} */
  #ping = null;
  /** @type {unknown} */
  #silence = null;
  /** @type {LinkState} */
  #state = { phase: 'connecting', address: '' };

  /** @param {LinkNeeds} needs */
  constructor(needs) {
    this.#needs = needs;
    this.#backoff = new Backoff(needs.random);
  }

  get state() {
    return this.#state;
  }

  /** Connects, unless there is a connection, a try, or a time set for the next one. */
  wake() {
    if (this.#trying || this.#socket || this.#retry !== null) return;
    this.#try();
  }

  /** Begins anew with the settings as they are now. */
  restart() {
    this.#drop(1000, 'the settings have changed');
    this.#turn++;
    this.#trying = false;
    this.#cancelRetry();
    this.#backoff.reset();
    this.#try();
  }

  /**
   * Sends a frame if the daemon has welcomed this connection; what is sent at any
   * other time is lost, as the daemon expects.
   *
   * @param {Record<string, unknown>} frame
   */
  send(frame) {
    if (this.#state.phase === 'connected') this.#outbox?.send(JSON.stringify(frame));
  }

  #try() {
    this.#trying = true;
    const turn = ++this.#turn;
    this.#open(turn).catch((error) => this.#failed(turn, `The connection failed: ${error.message}`));
  }

  /** @param {number} turn */
  async #open(turn) {
    const { address, token } = await this.#needs.settings();
    if (turn !== this.#turn) return;
    if (!token) {
      this.#trying = false;
      this.#set({ phase: 'unpaired', address, reason: 'This browser is not paired yet.' });
      return;
    }
    this.#set({ ...this.#state, phase: 'connecting', address });
    const stranger = await this.#needs.daemon.identify(address, token);
    if (turn !== this.#turn) return;
    if (stranger) return this.#failed(turn, stranger);

    const socket = this.#needs.open(`ws://${address}/extension`, ['omw.v1', 'omw-token.' + token]);
    this.#socket = socket;
    this.#trying = false;
    this.#outbox = new Outbox(socket, this.#needs.clock, (why) => this.#lost(socket, why));
    this.#heard(socket);
    socket.onopen = () => this.#greet(socket);
    socket.onmessage = (event) => this.#received(socket, event.data);
    socket.onclose = async (event) => {
      if (socket !== this.#socket) return;
      const welcomed = this.#state.phase === 'connected';
      this.#lost(socket, event.reason ? `The daemon closed the connection: ${event.reason}` : 'The connection to the daemon was lost.');
      if (welcomed || event.reason) return;
      // The status of a refused upgrade is hidden from a browser.
      const reason = await this.#needs.daemon.admission(address, token);
      if (reason && this.#state.phase === 'waiting') this.#set({ ...this.#state, reason });
    };
  }

  /** @param {Socket} socket */
  async #greet(socket) {
    const hello = await this.#needs.hello();
    if (socket === this.#socket) this.#outbox?.send(JSON.stringify({ type: 'hello', ...hello }));
  }

  /**
   * @param {Socket} socket
   * @param {unknown} data
   */
  #received(socket, data) {
    if (socket !== this.#socket) return;
    this.#heard(socket);
    const frame = parse(data);
    switch (frame?.type) {
      case 'welcome':
        this.#backoff.reset();
        this.#set({ phase: 'connected', address: this.#state.address, daemon: String(frame.daemon_version) });
        this.#beat(socket);
        break;
      case 'command':
        this.#needs.onCommand(/** @type {CommandFrame} */ (frame), (result) => {
          // A late answer to an old connection must not reach a new one (CMD-05).
          if (socket === this.#socket) this.send({ type: 'result', id: frame.id, ...result });
        });
        break;
      case 'cdp_attach':
        this.send({ type: 'cdp_detached', link: frame.link, reason: 'this extension does not pass CDP connections through' });
        break;
    }
  }

  /** The ping is a message: a frame of RFC 6455 would not keep the worker alive. @param {Socket} socket */
  #beat(socket) {
    this.#needs.clock.clearTimeout(this.#ping);
    this.#ping = this.#needs.clock.setTimeout(() => {
      if (socket !== this.#socket) return;
      this.send({ type: 'ping' });
      this.#beat(socket);
    }, limits.ping);
  }

  /** @param {Socket} socket */
  #heard(socket) {
    this.#needs.clock.clearTimeout(this.#silence);
    this.#silence = this.#needs.clock.setTimeout(() => this.#lost(socket, 'The daemon was silent for 45 seconds.'), limits.silence);
  }

  /**
   * @param {Socket} socket
   * @param {string} reason
   */
  #lost(socket, reason) {
    if (socket !== this.#socket) return;
    this.#drop(4000, reason);
    this.#failed(this.#turn, reason);
  }

  /**
   * Ends the connection without waiting for the other end, which may be dead.
   *
   * @param {number} code
   * @param {string} reason
   */
  #drop(code, reason) {
    const socket = this.#socket;
    if (!socket) return;
    this.#socket = null;
    this.#outbox?.close();
    this.#outbox = null;
    this.#needs.clock.clearTimeout(this.#ping);
    this.#needs.clock.clearTimeout(this.#silence);
    socket.onopen = socket.onmessage = socket.onclose = null;
    // RFC 6455 leaves 123 bytes for the reason.
    socket.close(code, reason.slice(0, 60));
    this.#needs.onLost();
  }

  /**
   * @param {number} turn
   * @param {string} reason
   */
  #failed(turn, reason) {
    if (turn !== this.#turn) return;
    this.#trying = false;
    this.#cancelRetry();
    this.#retry = this.#needs.clock.setTimeout(() => {
      this.#retry = null;
      this.wake();
    }, this.#backoff.next());
    this.#set({ phase: 'waiting', address: this.#state.address, reason });
  }

  #cancelRetry() {
    this.#needs.clock.clearTimeout(this.#retry);
    this.#retry = null;
  }

  /** @param {LinkState} state */
  #set(state) {
    this.#state = state;
    this.#needs.onState(state);
  }
}

/** @param {unknown} data @returns {any} */
function parse(data) {
  try {
    return JSON.parse(String(data));
  } catch {
    return null;
  }
}
