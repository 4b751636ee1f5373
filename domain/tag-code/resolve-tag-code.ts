import { isTagCode, TAG_CODE_PREFIX } from './tag-code.ts';

/** The parts of an address that can name a code, as `Location` and `URL` have them. */
export interface AddressParts {
  readonly pathname: string;
  readonly search: string;
}

/**
 * The code that an address of ours names, or null (specification, section 2). In order: a path segment beginning
 * with `tgt-`, the segment right after `auth`, then the query parameters `qr_id`, `code` (legacy) and `qr`.
 * What cannot be a code is passed over, so the answer is safe to put into a path.
 */
export function resolveTagCode({ pathname, search }: AddressParts): string | null {
  const segments = pathname.split('/').map(decodeSegment);
  const afterAuth = segments[segments.indexOf('auth') + 1] ?? '';
  // Sign-in links come back here with a `code` that is no tag code.
  if (segments.includes('auth') && afterAuth === 'callback') return null;

  const query = new URLSearchParams(search);
  const candidates = [
    segments.find((segment) => segment.startsWith(TAG_CODE_PREFIX)),
    segments.includes('auth') ? afterAuth : undefined,
    query.get('qr_id'),
    query.get('code'),
    query.get('qr'),
  ];
  return candidates.find((candidate) => candidate != null && isTagCode(candidate)) ?? null;
}

function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
