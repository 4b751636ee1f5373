import { hash } from 'node:crypto';

/** Returns a digest of a content, short enough for headers and long enough to be unique. */
export function contentDigest(bytes: string | Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, 22);
}

/** Returns the entity tag of a content (RFC 9110, section 8.8.3): equal exactly for equal bytes. */
export function etagOf(bytes: string | Uint8Array): string {
  return `"${contentDigest(bytes)}"`;
}

/** Returns the entity tag of a content whose SHA-256 is known, in hexadecimal. */
export function etagOfSha256(sha256: string): string {
  return `"${sha256.slice(0, 32)}"`;
}

/**
 * Whether the client's copy (`If-None-Match`) is current. Compares weakly (RFC 9110, section 13.1.2), because a proxy
 * may have marked our tag as weak.
 */
export function isFresh(ifNoneMatch: string | null | undefined, eTag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  // Fast path.
  if (ifNoneMatch === eTag) return true;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(eTag);
}
