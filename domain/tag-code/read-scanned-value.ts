import { resolveTagCode } from './resolve-tag-code.ts';
import { isTagCode } from './tag-code.ts';

/**
 * Extracts the relevant part of a scanned or typed value (specification, section 2): a value without slash and question
 * mark as it is; else its `?code=`; else what follows `/item/`, up to `?` or `#`; else its last path segment if that is
 * longer than 4 characters; else the value itself.
 *
 * @example extractScannedValue('https://lost.example.org/item/tgt-abc?from=mail'); // 'tgt-abc'
 */
export function extractScannedValue(value: string): string {
  if (!/[/?]/.test(value)) return value;

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
  if (isTagCode(extracted)) return extracted;
  const query = trimmed.indexOf('?');
  return query < 0 ? null : resolveTagCode({ pathname: '', search: trimmed.slice(query).split('#')[0] ?? '' });
}
