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
  const values: number[] = [];
  let pending = 0;
  let pendingBits = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    pendingBits += 8;
    for (; pendingBits >= 5; pendingBits -= 5) {
      if (values.length === count) return values;
      values.push((pending >> (pendingBits - 5)) & 31);
    }
    pending &= (1 << pendingBits) - 1;
  }
  return values;
}
