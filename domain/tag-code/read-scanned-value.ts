import { decodeSegment, resolveTagCode } from './resolve-tag-code.ts';
import { codeBeforeMarks, NEW_ITEM, TAG_CODE_PREFIX } from './tag-code.ts';
import { readTypedCode } from './typed-code.ts';

/** What a sticker carries: the tag code in its link, or the typed code beside it. */
export type StickerCode =
  | { readonly kind: 'tag-code'; readonly code: string }
  | { readonly kind: 'typed-code'; readonly typedCode: string };

/**
 * Extracts the relevant part of a scanned or typed value (specification, section 2): a value without slash and question
 * mark as it is; else its `?code=`; else what follows `/item/`, up to `?` or `#`; else its last path segment if that is
 * longer than 4 characters; else the value itself.
 *
 * @example extractScannedValue('https://lost.example.org/item/tgt-abc?from=mail'); // 'tgt-abc'
 */
export function extractScannedValue(value: string): string {
  if (!isLink(value)) return value;

  const code = new URLSearchParams(value.split('#')[0]?.split('?').slice(1).join('?')).get('code');
  if (code) return code;

  const afterItem = /\/item\/([^/?#]+)/.exec(value)?.[1];
  if (afterItem) return afterItem;

  const path = value.split(/[?#]/)[0]?.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '') ?? '';
  const lastSegment = path.split('/').findLast((segment) => segment !== '') ?? '';
  return lastSegment.length > 4 ? lastSegment : value;
}

/**
 * Returns the code in a scanned or typed value, or null. Of any URL only a code is returned, which is then looked up
 * here: a sticker can never lead to another site.
 *
 * @example
 * readScannedValue(' https://lost.example.org/?qr=tgt-abc '); // 'tgt-abc'
 * readScannedValue('two words'); // null
 */
export function readScannedValue(value: string): string | null {
  const trimmed = value.trim();
  const extracted = extractScannedValue(trimmed);
  const code = codeBeforeMarks(extracted);
  if (code !== null) return code;
  const query = trimmed.indexOf('?');
  return query < 0 ? null : resolveTagCode({ pathname: '', search: trimmed.slice(query).split('#')[0] ?? '' });
}

/**
 * Returns the code of a sticker in a scanned or typed value, or null: a typed code, by itself or in a link `/f/…`, or
 * else a tag code. A text of 16 characters with the right check character is a typed code.
 *
 * @example
 * readStickerCode('3dt6 yoe3 txx7 ggad'); // { kind: 'typed-code', typedCode: '3DT6-Y0E3-TXX7-GGAD' }
 * readStickerCode('https://lost.example.org/tgt-abc'); // { kind: 'tag-code', code: 'tgt-abc' }
 */
export function readStickerCode(value: string): StickerCode | null {
  // Its scheme may be missing: people type an address without it.
  const inLink = /^(?:[a-z][a-z0-9+.-]*:)?(?:[/\\]{2})?[^/\\?#]*\/f\/([^/?#]+)/i.exec(value.trim())?.[1];
  const read = readTypedCode(inLink === undefined ? value : decodeSegment(inLink));
  if (!value.trim().startsWith(TAG_CODE_PREFIX)) {
    if (read.ok) return { kind: 'typed-code', typedCode: read.typedCode };
    // A typed code with a slip would pass for a tag code.
    if (inLink !== undefined || read.problem.kind === 'mistyped') return null;
  }
  const code = readScannedValue(value);
  return code === null || code === NEW_ITEM ? null : { kind: 'tag-code', code };
}

/**
 * Returns the code of a sticker in a text that a person typed, or null. As `readStickerCode`, but without a link a tag
 * code needs its prefix: a text without one is a typed code, and here has a slip.
 *
 * @example
 * readTypedSticker('3DT6-Y0E3-TXX7-GGA'); // null
 * readTypedSticker('tgt-abc'); // { kind: 'tag-code', code: 'tgt-abc' }
 */
export function readTypedSticker(text: string): StickerCode | null {
  const sticker = readStickerCode(text);
  if (sticker?.kind !== 'tag-code' || isLink(text) || sticker.code.startsWith(TAG_CODE_PREFIX)) return sticker;
  return null;
}

/** Whether a typed text is an address, and not a code by itself (specification, section 2). */
export function isLink(text: string): boolean {
  return /[/?]/.test(text);
}
