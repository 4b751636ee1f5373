/**
 * Returns a UUID of version 4 (RFC 9562). `crypto.randomUUID` exists only on secure origins, so a phone on a home
 * network has none.
 */
export function randomId(): string {
  return inHex(withVersion(4, crypto.getRandomValues(new Uint8Array(16))));
}

/**
 * Returns a UUID of version 7 (RFC 9562), which begins with its time in milliseconds. Rows with such ids stand together in
 * an index, so a message changes fewer of its pages (`docs/benchmarks.md`). It tells its time, and has 74 random bits.
 *
 * @param random - At least 16 bytes in place of new random ones.
 * @example timeOrderedId(Date.UTC(2026, 0, 1)) // '019b76da-a800-7…'
 */
export function timeOrderedId(now = Date.now(), random = crypto.getRandomValues(new Uint8Array(16))): string {
  const bytes = Uint8Array.from(random.subarray(0, 16));
  // Two parts, because operators on bits have 32 of them.
  const view = new DataView(bytes.buffer);
  view.setUint32(0, Math.floor(now / 0x1_00_00));
  view.setUint16(4, now % 0x1_00_00);
  return inHex(withVersion(7, bytes));
}

function withVersion(version: number, bytes: Uint8Array): Uint8Array {
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | (version << 4);
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes;
}

function inHex(bytes: Uint8Array): string {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
