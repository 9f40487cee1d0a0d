const MiB = 1 << 20;

/** The numbers that the extension keeps; times in milliseconds, sizes in bytes. The ids are rules of the protocol. */
export const limits = Object.freeze({
  /** LIMIT-04: how many commands of a session wait behind the running one. */
  waiting: 32,
  /** LIMIT-06: how many tabs a session has. */
  tabs: 32,
  /** LIFE-01: the time between two pings. */
  ping: 20_000,
  /** LIFE-02: how long the socket may bring nothing. */
  silence: 45_000,
  /** LIFE-03: the time between two alarms, in minutes as chrome.alarms takes it. */
  alarmMinutes: 0.5,
  /** LIFE-04: the least and the most time between two tries to connect. */
  backoffMin: 500,
  backoffMax: 30_000,
  /** LIMIT-09: what the socket may hold before frames queue, what may queue, and how long nothing may move. */
  buffered: 4 * MiB,
  queued: 64 * MiB,
  stuck: 30_000,
  /** A result larger than this travels as an artifact. */
  inline: 4 * MiB,
  /** LIMIT-10: how many pictures are made at a time. */
  jobs: 2,
  /** CMD-16: the most that a hop keeps back of what is left of a deadline. */
  margin: 250,
  /** The largest part of an artifact that one artifact_read takes. */
  part: MiB,
  /** LIMIT-11: what a snapshot holds. */
  nodes: 4000,
  characters: 192_000,
  /** How long an answer of the daemon over HTTP may take. */
  answer: 10_000,
});

/**
 * When a hop that has left milliseconds for a command must be done, so that it
 * answers before the hop above gives up (CMD-16): it keeps back the smaller of
 * 250 ms and a quarter.
 *
 * @param {number} left
 * @returns {number} milliseconds from now
 */
export function ownTime(left) {
  return left - Math.min(limits.margin, left / 4);
}
