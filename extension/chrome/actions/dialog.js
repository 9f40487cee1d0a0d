import { Failure } from '../../src/wire/failure.js';
import { ProtocolError } from '../debugger.js';

/** Answers the open dialog of the tab. @param {import('../command.js').Command} command */
export async function dialog(command) {
  const { rooms, args, signal } = command;
  const held = await command.held();
  const open = held.dialog;
  if (!open) throw new Failure('not_found', 'the tab shows no dialog');
  try {
    await rooms.debugger.send(
      held.tab,
      'Page.handleJavaScriptDialog',
      { accept: args.accept, ...(args.text !== undefined ? { promptText: args.text } : {}) },
      signal,
    );
  } catch (error) {
    // Whoever else drives the tab, or the person, was first.
    if (!(error instanceof ProtocolError && /No dialog is showing/.test(error.reason))) throw error;
    delete held.dialog;
    await rooms.sessions.save();
    throw new Failure('not_found', 'the dialog of the tab has been answered already');
  }
  return { type: open.type, message: open.message };
}
