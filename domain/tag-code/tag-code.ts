/** The prefix of every sticker's code. */
export const TAG_CODE_PREFIX = 'tgt-';

/** In a link for tagging an item: the code is yet to be generated. */
export const NEW_ITEM = 'new-item';

const URL_SAFE = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** Selects one of the first 32 letters, which has no mark. */
const FIVE_BITS = 31;
const GENERATED_LENGTH = 16;
/** Characters after the prefix that carry at least 80 bits: 14 × 6. */
const CLAIMABLE_LENGTH = 14;

/** Fills the bytes from a cryptographic generator and returns them, like `crypto.getRandomValues`. */
export type FillRandom = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array;

/** Whether the text has the form of a code: letters, digits, `-` and `_`, at most 64 characters. */
export function isTagCode(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(text);
}

/**
 * Returns the code at the beginning of a text that ends in marks, or null. Chat programs take the mark after an address for
 * a part of it. A sticker's code is told by its prefix, so more may follow the mark.
 *
 * @example
 * codeBeforeMarks('tgt-abc).'); // 'tgt-abc'
 * codeBeforeMarks("tgt-abc's"); // 'tgt-abc'
 */
export function codeBeforeMarks(text: string): string | null {
  const [, code] =
    /^([A-Za-z0-9_-]{1,64})[^\p{Letter}\p{Number}]*$/u.exec(text) ??
    /^(tgt-[A-Za-z0-9_-]{1,60})(?![\p{Letter}\p{Number}_-])/u.exec(text) ??
    [];
  return code ?? null;
}

/**
 * Whether a code that the service did not issue may be claimed. It must have at least 80 bits, so that codes cannot be
 * guessed and words cannot be claimed. The database enforces the same rule; this check reports it early.
 *
 * @example
 * isClaimableTagCode('tgt-keys'); // false
 * isClaimableTagCode('tgt-8fJ2_kQ0-mZp4w'); // true
 */
export function isClaimableTagCode(text: string): boolean {
  const random = text.slice(TAG_CODE_PREFIX.length);
  return isTagCode(text) && text.startsWith(TAG_CODE_PREFIX) && random.length >= CLAIMABLE_LENGTH;
}

/**
 * Returns the link on a sticker. The shortest link gives the coarsest QR code, which scans best.
 *
 * @example stickerLink('https://lost.example.org', 'tgt-abc'); // 'https://lost.example.org/tgt-abc'
 */
export function stickerLink(publicUrl: string, code: string): string {
  return code.startsWith(TAG_CODE_PREFIX) ? `${publicUrl}/${code}` : `${publicUrl}/?code=${code}`;
}

/**
 * Returns a new code: the prefix and 16 URL-safe characters, 95 bits. It ends in a letter, because programs that find links
 * in texts leave a mark at the end out.
 *
 * @example const code = generateTagCode((bytes) => crypto.getRandomValues(bytes));
 */
export function generateTagCode(fillRandom: FillRandom): string {
  const bytes = fillRandom(new Uint8Array(GENERATED_LENGTH));
  // The alphabet has 64 letters, so the low six bits of a byte select each with equal probability.
  const letters = Array.from(bytes, (byte, place) =>
    URL_SAFE.charAt(place === GENERATED_LENGTH - 1 ? byte & FIVE_BITS : byte & 63),
  );
  return TAG_CODE_PREFIX + letters.join('');
}
