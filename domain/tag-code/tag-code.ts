/** What every sticker's code begins with. */
export const TAG_CODE_PREFIX = 'tgt-';

/** The word that stands in a link for tagging something whose code is yet to be made. */
export const NEW_ITEM = 'new-item';

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const GENERATED_LENGTH = 16;
/** Characters after the prefix that carry at least 80 bits: 14 × 6. */
const CLAIMABLE_LENGTH = 14;

/** Fills the bytes from a cryptographic generator and returns them, as `crypto.getRandomValues` does. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/** Whether the text can be a code at all: letters, digits, `-` and `_`, at most 64 characters. */
export function isTagCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/**
 * Whether a code which the service did not issue may be claimed. It must carry at least 80 bits, so that nobody
 * can guess the codes of others or claim words. The database decides; this is the same rule, to say it early.
 */
export function isClaimableTagCode(text: string): boolean {
  const random = text.slice(TAG_CODE_PREFIX.length);
  return isTagCode(text) && text.startsWith(TAG_CODE_PREFIX) && random.length >= CLAIMABLE_LENGTH;
}

/** What a sticker says. The shortest link that leads to the item makes the coarsest picture, which scans best. */
export function stickerLink(publicUrl: string, code: string): string {
  return code.startsWith(TAG_CODE_PREFIX) ? `${publicUrl}/${code}` : `${publicUrl}/?code=${code}`;
}

/** A new code: the prefix and 16 URL-safe characters, 96 bits. */
export function generateTagCode(fillRandom: FillRandom): string {
  const bytes = fillRandom(new Uint8Array(GENERATED_LENGTH));
  // The alphabet has 64 letters, so the low six bits of a byte choose each of them equally often.
  return TAG_CODE_PREFIX + Array.from(bytes, (byte) => URL_SAFE.charAt(byte & 63)).join('');
}
