import { Failure } from '../../src/wire/failure.js';

/** Reads the page as text, and names its elements. @param {import('../command.js').Command} command */
export function snapshot(command) {
  const { args, session } = command;
  if (args.frame !== undefined) throw new Failure('unsupported', 'this version of the extension reads from the main frame alone; ref scopes a snapshot to a frame');
  return command.onPage(async (tab) => {
    const { references, ...data } = await tab.ask('snapshot', { ...command.table, ref: args.ref, selector: args.selector, interactive: args.interactive });
    // The number is saved before anybody can use it: it must never be given twice.
    session.references = Math.max(session.references, references);
    return data;
  });
}
