/**
 * Whether the browser says that somebody is signed in: a cookie that the app keeps in step with its session. It holds
 * no secret and gives no right; it only chooses between the app and the finder's document.
 */
export function signedInHint(storagePrefix: string): (cookieHeader: string | null | undefined) => boolean {
  const cookie = new RegExp(`(?:^|;)\\s*${storagePrefix}_signed_in=1\\s*(?:;|$)`);
  return (header) => header != null && cookie.test(header);
}
