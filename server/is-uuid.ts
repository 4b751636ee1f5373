const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Whether the text is a UUID in its usual form (RFC 9562, section 4), in either case, which PostgreSQL accepts. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
