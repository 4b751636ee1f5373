import { codeBeforeMarks, TAG_CODE_PREFIX } from './tag-code.ts';

/** The parts of a URL that can name a code, as in `Location` and `URL`. */
export interface AddressParts {
  readonly pathname: string;
  readonly search: string;
}

/**
 * Returns the code that a URL of this site names, or null (specification, section 2). In order: a path segment that
 * begins with `tgt-`, the segment after `auth`, then the query parameters `qr_id`, `code` (legacy) and `qr`. Marks
 * after a code are left out. Anything that is not a valid code is skipped, so the result is safe to use in a path.
 *
 * ```ts
 * resolveTagCode(new URL('https://lost.example.org/qr?qr=tgt-abc')); // 'tgt-abc'
 * ```
 */
export function resolveTagCode({ pathname, search }: AddressParts): string | null {
  const segments = pathname.split('/').map(decodeSegment);
  const afterAuth = segments[segments.indexOf('auth') + 1] ?? '';
  // Sign-in links return here with a `code` that is not a tag code.
  if (segments.includes('auth') && afterAuth === 'callback') return null;

  const query = new URLSearchParams(search);
  const candidates = [
    segments.find((segment) => segment.startsWith(TAG_CODE_PREFIX)),
    segments.includes('auth') ? afterAuth : undefined,
    query.get('qr_id'),
    query.get('code'),
    query.get('qr'),
  ];
  for (const candidate of candidates) {
    const code = candidate == null ? null : codeBeforeMarks(candidate);
    if (code !== null) return code;
  }
  return null;
}

/** Returns the segment of a path decoded, or as it is where it cannot be decoded. */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
