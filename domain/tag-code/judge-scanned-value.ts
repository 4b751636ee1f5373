import { readStickerCode, type StickerCode } from './read-scanned-value.ts';

/** The content of a QR code that was scanned, read from a picture, or typed. */
export type ScannedValue =
  | { readonly kind: 'ours'; readonly sticker: StickerCode }
  /** A URL of another site. Its code is kept, because a sticker may be older than this site's domain. */
  | { readonly kind: 'foreign'; readonly host: string; readonly sticker: StickerCode | null }
  | { readonly kind: 'unreadable' };

/**
 * Distinguishes our codes from other content. `ownHosts` are the hosts of our stickers, with a port where they have
 * one. Nothing is opened: a foreign host is returned, so that the person sees it first.
 *
 * @example
 * judgeScannedValue('https://lost.example.org/tgt-abc', ['lost.example.org']); // { kind: 'ours', sticker: … }
 * judgeScannedValue('https://evil.example/x', ['lost.example.org']); // { kind: 'foreign', host: 'evil.example', … }
 */
export function judgeScannedValue(value: string, ownHosts: readonly string[]): ScannedValue {
  const sticker = readStickerCode(value);
  const address = absoluteAddress(value.trim());
  if (address !== null && !/^https?:$/.test(address.protocol)) return { kind: 'unreadable' };
  if (address !== null && !ownHosts.includes(address.host)) return { kind: 'foreign', host: address.host, sticker };
  return sticker === null ? { kind: 'unreadable' } : { kind: 'ours', sticker };
}

/** Returns the value as a URL, also where it lacks only its scheme (`//host/…`), or null where it is not one. */
function absoluteAddress(value: string): URL | null {
  try {
    return new URL(/^[/\\]{2}/.test(value) ? `https:${value}` : value);
  } catch {
    return null;
  }
}
