import { readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { readPublicConfig } from './read-public-config.ts';

const key = () => `${readPublicConfig().storagePrefix}_return_path`;

/** Stores the page that required a sign-in, to return to it afterwards. */
export function rememberReturnPath(address: string): void {
  const { pathname, search } = new URL(address);
  writeSessionStorage(key(), pathname + search);
}

/**
 * Returns where signing in leads: to the item of the stored tag code, else once to the stored page, else to the
 * dashboard.
 */
export function pathAfterSignIn(qrId: string | null): string {
  const kept = readSessionStorage(key());
  writeSessionStorage(key(), null);
  if (qrId !== null) return `/item/${qrId}`;
  return (kept !== null && pathOfThisSite(kept, location.origin)) || '/dashboard';
}

/** Returns the path and query of a URL on this origin, else null: `//evil.example` is not a path. */
export function pathOfThisSite(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin ? url.pathname + url.search : null;
}

/** Returns the path of the sign-in screen, with the current code if there is one. */
export function authPath(code: string | null): string {
  return code === null ? '/auth' : `/auth/${code}`;
}
