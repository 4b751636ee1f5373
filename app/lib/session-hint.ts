import { readPublicConfig } from './public-config.ts';

/** Seconds: as long as browsers keep any cookie. */
const LONGEST_COOKIE = 400 * 24 * 60 * 60;

/**
 * Keeps the cookie by which the server chooses which page to send (the app, or the finder's document). It is a hint
 * and gives no rights: the session itself stays in this browser's storage.
 */
export function rememberSessionHint(signedIn: boolean): void {
  const secure = location.protocol === 'https:' ? '; secure' : '';
  const life = signedIn ? LONGEST_COOKIE : 0;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser that we serve
  document.cookie = `${readPublicConfig().storagePrefix}_signed_in=1; path=/; samesite=lax; max-age=${life}${secure}`;
}
