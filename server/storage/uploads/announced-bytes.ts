/** Returns the length that a request announces for its body, in bytes; null where it announces none. */
export function announcedBytes(headers: Headers): number | null {
  const length = headers.get('content-length');
  return length === null ? null : Number(length);
}
