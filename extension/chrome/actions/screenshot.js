import { imageSize } from '../../src/picture/size.js';
import { limits } from '../../src/wire/limits.js';
import { decode } from '../artifacts.js';
import { drawing } from '../frames.js';

/** @typedef {import('../tab.js').Tab} Tab */

/** The largest side of a picture of a whole page, in pixels; taller ones take Chrome many seconds. */
const tallest = 16_384;

/** Takes a picture of the tab, of its whole page or of an element. @param {import('../command.js').Command} command */
export function screenshot(command) {
  const { args, rooms } = command;
  return command.onPage((tab) =>
    rooms.jobs.run(tab.signal, () =>
      drawing(tab, async () => {
        const { clip, truncated } = await region(command, tab);
        const format = args.format ?? 'png';
        const { data } = await tab.send('Page.captureScreenshot', {
          format,
          ...(args.quality !== undefined && format === 'jpeg' ? { quality: args.quality } : {}),
          ...(clip ? { clip: { ...clip, scale: 1 }, captureBeyondViewport: true } : {}),
        });
        const bytes = decode(data);
        const about = { format, ...imageSize(bytes), ...(truncated ? { truncated } : {}) };
        if (data.length <= limits.inline) return { base64: data, ...about };
        return { ...rooms.artifacts.keep(bytes, command.until), ...about };
      }),
    ),
  );
}

/**
 * @param {import('../command.js').Command} command
 * @param {Tab} tab
 * @returns {Promise<{clip?: {x: number, y: number, width: number, height: number}, truncated?: boolean}>}
 */
async function region({ args, table, target }, tab) {
  if (args.ref !== undefined || args.selector !== undefined) return { clip: await tab.ask('box', { ...table, target }) };
  if (!args.full_page) return {};
  const { cssContentSize } = await tab.send('Page.getLayoutMetrics');
  return {
    clip: { x: 0, y: 0, width: cssContentSize.width, height: Math.min(cssContentSize.height, tallest) },
    truncated: cssContentSize.height > tallest,
  };
}
