/** In local storage once this browser has the font in its cache. */
const KEY = 'font_is_cached';

export function noteCachedFont(): void {
  localStorage.setItem(KEY, 'yes');
}

/** Uses the font on this document where the browser has it. Must run before anything is painted. */
export function applyCachedFont(): void {
  if (localStorage.getItem(KEY) !== null) document.documentElement.removeAttribute('data-font');
}
