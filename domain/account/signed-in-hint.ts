/**
 * Returns a function that reads from the cookies whether the browser is signed in. The app keeps the cookie in step
 * with its session. It is no secret and grants nothing: it only selects between the app and the finder's document.
 */
export function signedInHint(storagePrefix: string): (cookieHeader: string | null | undefined) => boolean {
  const cookie = new RegExp(`(?:^|;)\\s*${storagePrefix}_signed_in=1\\s*(?:;|$)`);
  return (header) => header != null && cookie.test(header);
}
