/**
 * The codes of the wire that an extension answers with; the list of the
 * protocol is closed.
 *
 * @typedef {'bad_request'|'not_found'|'too_large'|'busy'|'session_closed'|'tab_taken'|'tab_gone'|'no_tab'|'dialog_open'
 *   |'debugger_conflict'|'stale_ref'|'not_actionable'|'navigation_failed'|'unsupported'|'permission'|'page_error'
 *   |'outcome_unknown'|'internal'} Code
 */

/** An error that a command answers with: its code is the wire's, its message says what is wrong and what to do. */
export class Failure extends Error {
  /**
   * @param {Code} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}

/**
 * What stands for error in a result frame. What is no Failure is a fault of the
 * extension; nobody can say then what became of the command.
 *
 * @param {unknown} error
 * @returns {{code: Code, message: string}}
 */
export function wireError(error) {
  if (error instanceof Failure) return { code: error.code, message: error.message };
  const why = error instanceof Error ? error.message : String(error);
  return { code: 'outcome_unknown', message: `the extension failed while the command ran (${why}); look at the page before you send it again` };
}
