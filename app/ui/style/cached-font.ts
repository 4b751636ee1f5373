/** Set in local storage once this browser has cached the font. */
const KEY = 'font_is_cached';

export function noteCachedFont(): void {
  localStorage.setItem(KEY, 'yes');
}

/** Uses the font in this document where the browser has cached it. Must run before the first paint. */
export function applyCachedFont(): void {
  if (localStorage.getItem(KEY) !== null) document.documentElement.removeAttribute('data-font');
}
