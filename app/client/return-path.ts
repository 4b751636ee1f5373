import { NEW_ITEM } from '#domain/tag-code/tag-code.ts';
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
  const kept = takeReturnPath();
  return qrId === null ? (kept ?? DASHBOARD) : `/item/${qrId}`;
}

/**
 * Returns where a new account leads: to the item of its tag code, else once to the stored page, else to a first item. The
 * dashboard, which is empty, is no page to return to.
 */
export function pathAfterRegistration(qrId: string | null): string {
  const kept = takeReturnPath();
  if (qrId === null && kept !== null && kept !== DASHBOARD) return kept;
  return `${DASHBOARD}?qr_id=${qrId ?? NEW_ITEM}`;
}

const DASHBOARD = '/dashboard';

function takeReturnPath(): string | null {
  const kept = readSessionStorage(key());
  writeSessionStorage(key(), null);
  return kept === null ? null : pathOfThisSite(kept, location.origin);
}

/** Returns the path and query of a URL on this origin, else null: `//evil.example` is not a path. */
export function pathOfThisSite(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin ? url.pathname + url.search : null;
}

/** Where a newcomer begins, who has no account in any browser that they remember. */
export const REGISTER_PATH = '/auth?mode=register';

/** Returns the path of the sign-in screen, with the current code if there is one. */
export function authPath(code: string | null): string {
  return code === null ? '/auth' : `/auth/${code}`;
}
