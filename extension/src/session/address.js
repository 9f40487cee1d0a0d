import { Failure } from '../wire/failure.js';

/** @typedef {import('./sessions.js').Sessions} Sessions */
/** @typedef {import('./sessions.js').Session} Session */
/** @typedef {import('./sessions.js').Held} Held */

/**
 * Returns the tab that a command of a session addresses: the one its arguments
 * name, else the session's current one.
 *
 * @param {Sessions} sessions
 * @param {string} name the session's
 * @param {number | undefined} tab
 * @param {(tab: number) => Promise<boolean>} exists
 * @returns {Promise<{session: Session, held: Held}>}
 */
export async function addressed(sessions, name, tab, exists) {
  const session = sessions.get(name);
  const id = tab ?? session?.current ?? undefined;
  if (id === undefined) throw new Failure('no_tab', 'the session has no tab; navigate opens one');
  const owner = sessions.owner(id);
  if (owner && owner.session === session) return owner;
  if (owner) throw new Failure('tab_taken', `tab ${id} belongs to another session`);
  if (await exists(id)) throw new Failure('permission', `tab ${id} is the person's; borrow it first`);
  if (tab !== undefined) throw new Failure('tab_gone', `there is no tab ${id} any more; tabs lists those of the session`);
  throw new Failure('tab_gone', `tab ${id}, the current tab of the session, is not there any more; switch_tab takes another, navigate opens one`);
}
