import { readScannedValue } from './read-scanned-value.ts';
import { NEW_ITEM } from './tag-code.ts';

/** What stands in a QR code that somebody scanned, chosen from a picture, or typed. */
export type ScannedValue =
  | { readonly kind: 'code'; readonly code: string }
  /** An address of another site. A sticker may be older than this site's name, so a code in it is kept. */
  | { readonly kind: 'foreign'; readonly host: string; readonly code: string | null }
  | { readonly kind: 'unreadable' };

/**
 * Tells a code of ours from what is somebody else's. `ownHosts` are those whose stickers are ours, with a port where
 * they have one. Nothing here leads anywhere: a foreign host is named, so that a person sees it before anything else.
 */
export function judgeScannedValue(value: string, ownHosts: readonly string[]): ScannedValue {
  const read = readScannedValue(value);
  const code = read === NEW_ITEM ? null : read;
  const address = absoluteAddress(value.trim());
  if (address !== null && !/^https?:$/.test(address.protocol)) return { kind: 'unreadable' };
  if (address !== null && !ownHosts.includes(address.host)) return { kind: 'foreign', host: address.host, code };
  return code === null ? { kind: 'unreadable' } : { kind: 'code', code };
}

/** The address that the value is by itself, also one that only lacks its scheme (`//host/…`); null where it is none. */
function absoluteAddress(value: string): URL | null {
  try {
    return new URL(/^[/\\]{2}/.test(value) ? `https:${value}` : value);
  } catch {
    return null;
  }
}
