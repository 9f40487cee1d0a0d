import { Failure } from '../../src/wire/failure.js';
import { clock } from '../../src/wire/clock.js';
import { keyOf, modifierBits } from '../../src/input/keys.js';
import { ready } from '../../src/input/wait.js';
import { drawing } from '../frames.js';
import { Navigation } from '../navigation.js';

/** @typedef {import('../command.js').Command} Command */
/** @typedef {import('../tab.js').Tab} Tab */

/** How long a command waits for the page that it led to, in milliseconds. */
const follow = 10_000;

const nothing = () => ({});

/**
 * Acts on the page while it draws frames, and then waits for the navigation that
 * this begins, so that the next command meets the new page. The action itself
 * is done by then: what becomes of the page is no matter of its answer.
 *
 * @param {Command} command
 * @param {(tab: Tab) => Promise<void>} act
 */
function acting(command, act) {
  return command.onPage(
    (tab) =>
      drawing(tab, async () => {
        const navigation = await Navigation.watch(tab);
        try {
          await act(tab);
          await arrived(command, tab, navigation);
          return {};
        } finally {
          navigation.close();
        }
      }),
    nothing,
  );
}

/**
 * @param {Command} command
 * @param {Tab} tab
 * @param {Navigation} navigation
 */
async function arrived(command, tab, navigation) {
  const time = Math.min(follow, command.within);
  /** @type {unknown} */
  let timer;
  const enough = new Promise((resolve) => {
    timer = clock.setTimeout(() => resolve(undefined), time);
  });
  try {
    await Promise.race([enough, settle(tab, navigation)]);
  } catch (error) {
    // The tab may be closed by the click; the click was done all the same.
    if (tab.signal.aborted || !(error instanceof Failure)) throw error;
  } finally {
    clock.clearTimeout(timer);
  }
}

/**
 * @param {Tab} tab
 * @param {Navigation} navigation
 */
async function settle(tab, navigation) {
  // A form submits itself in a task that the event has queued: two rounds through the page's own queue are behind it.
  for (let round = 0; round < 2 && !navigation.begun; round++) await tab.ask('settle');
  if (navigation.begun) await navigation.over();
}

/**
 * Waits until the command's element can be acted on, and says where.
 *
 * @param {Command} command
 * @param {Tab} tab
 * @param {import('../../src/input/actionable.js').Wants} wants
 */
function actionable(command, tab, wants) {
  const args = { ...command.table, target: command.target, wants };
  return ready(() => tab.ask('look', args), command.args.ref ?? command.args.selector, clock, command.within);
}

/** @param {Command} command @param {number} times */
export function click(command, times) {
  const { args } = command;
  return acting(command, async (tab) => {
    const point = await actionable(command, tab, { enabled: true, uncovered: true });
    const mouse = { ...point, modifiers: await modifiers(args), pointerType: 'mouse' };
    const button = args.button ?? 'left';
    const buttons = { left: 1, right: 2, middle: 4 }[/** @type {'left'} */ (button)];
    // A hidden tab answers each only with its next frame, so that none is waited for before the last is sent.
    const sent = [tab.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...mouse })];
    for (let clickCount = 1; clickCount <= times; clickCount++) {
      sent.push(tab.send('Input.dispatchMouseEvent', { type: 'mousePressed', button, buttons, clickCount, ...mouse }));
      sent.push(tab.send('Input.dispatchMouseEvent', { type: 'mouseReleased', button, buttons: 0, clickCount, ...mouse }));
    }
    await Promise.all(sent);
  });
}

/** @param {Command} command */
export function hover(command) {
  return acting(command, async (tab) => {
    const point = await actionable(command, tab, { uncovered: true });
    await tab.send('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point, modifiers: await modifiers(command.args) });
  });
}

/** @param {Command} command */
export function focus(command) {
  return acting(command, async (tab) => {
    await actionable(command, tab, {});
    await tab.act('focus', { ...command.table, target: command.target });
  });
}

/** @param {Command} command */
export function type(command) {
  const { args } = command;
  return acting(command, async (tab) => {
    await actionable(command, tab, { enabled: true, editable: true });
    const { inserted } = await tab.act('prepare', { ...command.table, target: command.target, text: args.text, mode: args.mode ?? 'replace' });
    if (!inserted && args.text !== '') await tab.send('Input.insertText', { text: args.text });
    if (!inserted && args.text === '' && args.mode !== 'append') await key(tab, 'Delete', 0);
    if (args.submit) await key(tab, 'Enter', 0);
  });
}

/** @param {Command} command */
export function press(command) {
  const { args } = command;
  return acting(command, async (tab) => {
    if (args.ref !== undefined || args.selector !== undefined) {
      await actionable(command, tab, {});
      await tab.act('focus', { ...command.table, target: command.target });
    }
    await key(tab, args.key, await modifiers(args));
  });
}

/**
 * @param {Tab} tab
 * @param {string} name as KeyboardEvent.key has it
 * @param {number} held
 */
async function key(tab, name, held) {
  const k = keyOf(name, held);
  if (!k) throw new Failure('bad_request', `${JSON.stringify(name)} is no key; name it as KeyboardEvent.key does: Enter, ArrowDown, a`);
  await Promise.all([
    tab.send('Input.dispatchKeyEvent', { type: k.text ? 'keyDown' : 'rawKeyDown', modifiers: held, ...k }),
    tab.send('Input.dispatchKeyEvent', { type: 'keyUp', modifiers: held, key: k.key, code: k.code, windowsVirtualKeyCode: k.windowsVirtualKeyCode }),
  ]);
}

/** @param {Record<string, any>} args */
async function modifiers(args) {
  const names = args.modifiers ?? [];
  const mac = names.includes('ControlOrMeta') && (await chrome.runtime.getPlatformInfo()).os === 'mac';
  return modifierBits(names, mac);
}
