import { limits } from '../wire/limits.js';
import { isInteractive } from './walk.js';

/** @typedef {import('./walk.js').Node} Node */

/** The roles of mere structure, which nobody acts on: they get no reference. */
const unreferenced = new Set(['text', 'paragraph', 'list', 'listitem', 'row', 'rowgroup', 'table', 'term', 'definition', 'blockquote', 'separator']);

/**
 * Writes nodes as the text of a snapshot, a line a node: - role "name" [state ref=e5]: value.
 * It ends before a line that would pass 4000 nodes or 192000 characters (LIMIT-11).
 *
 * @param {Node[]} nodes
 * @param {{interactive: boolean, number: (node: Node) => number}} options number gives an element its reference
 * @returns {{text: string, nodes: number, truncated: boolean}}
 */
export function write(nodes, options) {
  /** @type {string[]} */
  const lines = [];
  let characters = 0;
  let truncated = false;

  /** @param {Node} node @param {number} depth */
  const visit = (node, depth) => {
    if (truncated) return;
    const said = !options.interactive || isInteractive(node);
    if (said) {
      const line = '  '.repeat(options.interactive ? 0 : depth) + one(node, options.number);
      if (lines.length === limits.nodes || characters + line.length + 1 > limits.characters) {
        truncated = true;
        return;
      }
      lines.push(line);
      characters += line.length + 1;
    }
    for (const child of node.children) visit(child, depth + 1);
  };
  for (const node of nodes) visit(node, 0);
  return { text: lines.join('\n'), nodes: lines.length, truncated };
}

/**
 * @param {Node} node
 * @param {(node: Node) => number} number
 */
function one(node, number) {
  const name = node.name ? ' ' + JSON.stringify(node.name) : '';
  const words = node.element === null || unreferenced.has(node.role) ? node.states : [...node.states, 'ref=e' + number(node)];
  const state = words.length > 0 ? ` [${words.join(' ')}]` : '';
  const value = node.value ? ': ' + node.value : '';
  return `- ${node.role}${name}${state}${value}`;
}
