/** The browser's version: in full where the browser tells it, else the major number. */
export function browserVersion() {
  return /Chrom(?:e|ium)\/([0-9.]+)/.exec(navigator.userAgent)?.[1] ?? 'unknown';
}
