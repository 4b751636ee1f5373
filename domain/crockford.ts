/** Crockford's base 32 (https://www.crockford.com/base32.html): no I, L, O, and U. */
export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** How the letters that the alphabet lacks are read. `U` resembles none of its characters clearly. */
const LOOK_ALIKES: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1' };

/** Replaces capitals that the alphabet lacks by the digits they look like. */
export function readLookAlikes(capitals: string): string {
  return capitals.replace(/[OIL]/g, (letter) => LOOK_ALIKES[letter] ?? letter);
}

/** Returns the first bits of `bytes` as `count` values of five bits each, from 0 to 31. */
export function fiveBitValues(bytes: Uint8Array, count: number): number[] {
  const used = bytes.subarray(0, Math.ceil((count * 5) / 8));
  let bits = 0n;
  for (const byte of used) bits = (bits << 8n) | BigInt(byte);
  const last = used.length * 8 - 5;
  return Array.from({ length: count }, (_, index) => Number((bits >> BigInt(last - 5 * index)) & 31n));
}
