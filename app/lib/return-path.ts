import { readSessionStorage, writeSessionStorage } from './browser-storage.ts';
import { readPublicConfig } from './public-config.ts';

const key = () => `${readPublicConfig().storagePrefix}_return_path`;

/** Keeps the page that somebody was turned away from, for after signing in. */
export function rememberReturnPath(address: string): void {
  const { pathname, search } = new URL(address);
  writeSessionStorage(key(), pathname + search);
}

/** The page that was kept, once; null where there is none of this site. */
export function takeReturnPath(): string | null {
  const kept = readSessionStorage(key());
  if (kept === null) return null;
  writeSessionStorage(key(), null);
  return pathOfThisSite(kept, location.origin);
}

/** The path and query of an address that stays at the origin, else null: `//evil.example` is no path. */
export function pathOfThisSite(address: string, origin: string): string | null {
  if (!URL.canParse(address, origin)) return null;
  const url = new URL(address, origin);
  return url.origin === origin ? url.pathname + url.search : null;
}
