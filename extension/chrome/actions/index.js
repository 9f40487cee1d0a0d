import { dialog } from './dialog.js';
import { evaluate } from './evaluate.js';
import { click, focus, hover, press, type } from './input.js';
import { navigate, reload, travel } from './navigate.js';
import { screenshot } from './screenshot.js';
import { snapshot } from './snapshot.js';
import { status } from './status.js';
import { closeSession, closeTab, sessions, switchTab, tabs } from './tabs.js';

/** @typedef {(command: import('../command.js').Command) => Promise<Record<string, any>>} Action */

/** What the extension does, by the name of the wire. @type {Map<string, Action>} */
export const actions = new Map(
  /** @type {[string, Action][]} */ ([
    ['navigate', navigate],
    ['back', (c) => travel(c, -1)],
    ['forward', (c) => travel(c, 1)],
    ['reload', reload],
    ['snapshot', snapshot],
    ['click', (c) => click(c, 1)],
    ['dblclick', (c) => click(c, 2)],
    ['hover', hover],
    ['focus', focus],
    ['type', type],
    ['press', press],
    ['evaluate', evaluate],
    ['screenshot', screenshot],
    ['dialog', dialog],
    ['tabs', tabs],
    ['switch_tab', switchTab],
    ['close_tab', closeTab],
    ['close_session', closeSession],
    ['sessions', sessions],
    ['status', status],
    ['artifact_read', async ({ rooms, args }) => rooms.artifacts.read(args.artifact, args.offset, args.length)],
    ['artifact_close', async ({ rooms, args }) => rooms.artifacts.close(args.artifact)],
  ]),
);

/** The actions that begin no session. */
export const unbinding = new Set(['sessions', 'status', 'tabs', 'close_session', 'artifact_read', 'artifact_close']);
