/**
 * Whether an element is rendered for nobody: not displayed, invisible, or hidden from
 * assistive technology. What is below an invisible one may still be visible.
 *
 * @param {Element} element
 * @returns {'shown' | 'hidden' | 'invisible'}
 */
export function visibility(element) {
  if (element.getAttribute('aria-hidden') === 'true' || element.hasAttribute('inert')) return 'hidden';
  const view = element.ownerDocument.defaultView;
  const style = view?.getComputedStyle(element);
  if (!style || style.display === 'none' || style.contentVisibility === 'hidden') return 'hidden';
  // An option has no box of its own.
  return style.visibility === 'visible' || element.localName === 'option' ? 'shown' : 'invisible';
}

/**
 * Whether an element has a box that can be seen and met by a pointer.
 *
 * @param {Element} element
 */
export function hasBox(element) {
  const style = element.ownerDocument.defaultView?.getComputedStyle(element);
  if (!style || style.visibility !== 'visible') return false;
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}
