import { readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { readPublicConfig } from './public-config.ts';

const key = () => `${readPublicConfig().storagePrefix}_return_path`;

/** Keeps the page that somebody was turned away from, for after signing in. */
export function rememberReturnPath(address: string): void {
  const { pathname, search } = new URL(address);
  writeSessionStorage(key(), pathname + search);
}

/** Where signing in leads: to the item of the code in hand, else once to the page that was kept, else to the dashboard. */
export function pathAfterSignIn(qrId: string | null): string {
  const kept = readSessionStorage(key());
  writeSessionStorage(key(), null);
  if (qrId !== null) return `/item/${qrId}`;
  return (kept !== null && pathOfThisSite(kept, location.origin)) || '/dashboard';
}

/** The path and query of an address that stays at the origin, else null: `//evil.example` is no path. */
export function pathOfThisSite(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin ? url.pathname + url.search : null;
}
