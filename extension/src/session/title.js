/** The colours of Chrome's tab groups. */
const colors = /** @type {const} */ (['blue', 'red', 'yellow', 'green', 'pink', 'purple', 'cyan', 'orange']);

/** A session's title: what it asked for, else its name, cut at 40 characters. @param {string} name @param {string} [wish] */
export function groupTitle(name, wish) {
  return [...(wish || name)].slice(0, 40).join('');
}

/** The colour that a session's name always gets. @param {string} name */
export function groupColor(name) {
  let hash = 0;
  for (const c of name) hash = (hash * 31 + (c.codePointAt(0) ?? 0)) >>> 0;
  return colors[hash % colors.length];
}
