import { APP_QUERY } from '#domain/app-query.ts';

/**
 * A signed-in browser is sent this page only where it lost the cookie that says so. The cookie is set again and the page
 * loaded once more, so that the app takes over. Where cookies are blocked the address asks for the app instead; the app
 * answers there, and so nothing repeats.
 */
export function handOverToApp(storagePrefix: string): void {
  try {
    if (localStorage.getItem(`${storagePrefix}_supabase_auth`) === null) return;
  } catch {
    // Storage is switched off in this browser: there is no session in it either.
    return;
  }
  const hint = `${storagePrefix}_signed_in=1`;
  if (document.cookie.split('; ').includes(hint)) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4.
  document.cookie = `${hint}; path=/; max-age=31536000; samesite=lax`;
  if (document.cookie.split('; ').includes(hint)) location.reload();
  else location.replace(`${location.pathname}?${APP_QUERY}=1`);
}
