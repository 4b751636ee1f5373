import { hasStoredSession, leadHome } from '#app/browser/lead-home.ts';
import { writeSessionStorage } from '#app/client/browser-storage.ts';
import { APP_QUERY } from '#domain/tag-code/app-query.ts';
import { isTagCode, TAG_CODE_PREFIX } from '#domain/tag-code/tag-code.ts';
import { enhanceFinder } from './enhance-finder.ts';

const roots = document.querySelectorAll<HTMLElement>('[data-finder]');
// A sticker's address serves the page of its item. A bookmark, a shared link and the finder's cookie use the item's.
const code = location.pathname.slice(1);
if (roots.length > 0 && code.startsWith(TAG_CODE_PREFIX) && isTagCode(code)) {
  history.replaceState(history.state, '', `/item/${code}${location.hash}`);
  // A browser that wrote before the sticker's address served the page has a cookie for the item's address alone, so the
  // server could not know.
  for (const section of document.querySelectorAll<HTMLElement>('[data-conversation]')) section.dataset.ask = '';
}
const storagePrefix = document.documentElement.dataset.storagePrefix ?? '';
leadHome(storagePrefix);
// The item may be the visitor's own: signing in leads back to it.
for (const link of roots.length > 0 ? document.querySelectorAll('a[href^="/auth"]') : []) {
  link.addEventListener('click', () => writeSessionStorage(`${storagePrefix}_return_path`, location.pathname));
}
handOverToApp(storagePrefix);
for (const root of roots) enhanceFinder(root);
// A second contact's quiet hours begin in the time zone of the browser.
document
  .querySelector('[data-own-zone]')
  ?.prepend(new Option(Intl.DateTimeFormat().resolvedOptions().timeZone, undefined, true, true));

/**
 * Reloads the page into the app for a signed-in browser that has lost its cookie, which is the only case in which such
 * a browser gets this page. Sets the cookie again first. Where cookies are blocked, the URL of an item requests the
 * app instead; the app responds there, so there is no loop.
 */
function handOverToApp(storagePrefix: string): void {
  if (!hasStoredSession(storagePrefix)) return;
  const hint = `${storagePrefix}_signed_in=1`;
  if (document.cookie.split('; ').includes(hint)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4.
  document.cookie = `${hint}; path=/; max-age=31536000; samesite=lax`;
  if (document.cookie.split('; ').includes(hint)) location.reload();
  else if (/^\/item\/[^/]+$/.test(location.pathname)) location.replace(`${location.pathname}?${APP_QUERY}=1`);
}
