import { signedInHint } from '#domain/account/signed-in-hint.ts';

/** Whether storage contains a session. A document without the app cannot tell whether it is still valid. */
export function hasStoredSession(storagePrefix: string): boolean {
  try {
    return localStorage.getItem(`${storagePrefix}_supabase_auth`) !== null;
  } catch {
    // Storage is disabled, so there is no session in it either.
    return false;
  }
}

/**
 * In a document without the app, the sign-in link leads a signed-in user to their items. The cookie says so, or storage where
 * cookies are blocked.
 */
export function leadHome(storagePrefix: string): void {
  if (!signedInHint(storagePrefix)(document.cookie) && !hasStoredSession(storagePrefix)) return;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-signed-in]')) {
    link.setAttribute('href', '/dashboard');
    link.textContent = link.dataset.signedIn ?? '';
  }
}
