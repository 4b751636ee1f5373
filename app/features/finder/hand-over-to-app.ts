/**
 * Somebody who is signed in sees this page only where the cookie that says so was lost: it is set again and the page
 * is loaded once more, so that the app takes over. Where cookies are off nothing happens, and so nothing repeats.
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
}
