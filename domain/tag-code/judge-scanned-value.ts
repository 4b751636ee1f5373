import { readScannedValue } from './read-scanned-value.ts';
import { NEW_ITEM } from './tag-code.ts';

/** The content of a QR code that was scanned, read from a picture, or typed. */
export type ScannedValue =
  | { readonly kind: 'code'; readonly code: string }
  /** A URL of another site. The code is kept, because a sticker may be older than this site's domain. */
  | { readonly kind: 'foreign'; readonly host: string; readonly code: string | null }
  | { readonly kind: 'unreadable' };

/**
 * Distinguishes our codes from other content. `ownHosts` are the hosts of our stickers, with a port where they have
 * one. Nothing is opened: a foreign host is returned, so that the person sees it first.
 *
 * @example
 * judgeScannedValue('https://lost.example.org/tgt-abc', ['lost.example.org']); // { kind: 'code', code: 'tgt-abc' }
 * judgeScannedValue('https://evil.example/x', ['lost.example.org']); // { kind: 'foreign', host: 'evil.example', code: null }
 */
export function judgeScannedValue(value: string, ownHosts: readonly string[]): ScannedValue {
  const read = readScannedValue(value);
  const code = read === NEW_ITEM ? null : read;
  const address = absoluteAddress(value.trim());
  if (address !== null && !/^https?:$/.test(address.protocol)) return { kind: 'unreadable' };
  if (address !== null && !ownHosts.includes(address.host)) return { kind: 'foreign', host: address.host, code };
  return code === null ? { kind: 'unreadable' } : { kind: 'code', code };
}

/** Returns the value as a URL, also where it lacks only its scheme (`//host/…`), or null where it is not one. */
function absoluteAddress(value: string): URL | null {
  try {
    return new URL(/^[/\\]{2}/.test(value) ? `https:${value}` : value);
  } catch {
    return null;
  }
}
