/**
 * Whether what a client has already (`If-None-Match`) is what it would be sent. Compared weakly, as RFC 9110 section 13.1.2
 * wants it: a proxy on the way may have marked our tag as weak.
 */
export function isFresh(ifNoneMatch: string | null | undefined, eTag: string): boolean {
  if (ifNoneMatch === null || ifNoneMatch === undefined) return false;
  // The usual case at once.
  if (ifNoneMatch === eTag) return true;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(eTag);
}
