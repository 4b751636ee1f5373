import { encode, type QrCodeGenerateResult } from 'uqr';
import { QUIET_MODULES } from './sticker-layout.ts';

/** With modules of at least this size, in millimeters, a code may have more of them for a stronger error correction. */
const COMFORTABLE_MODULE = 1.5;
/** Smaller modules, in millimeters, are not printed: office printers and old phones lose them. */
const SMALLEST_MODULE = 0.33;
/** Allows for the rounding of a side that is exactly so many modules. */
const ROUNDING = 1e-9;
/** From the strongest. Level H tolerates about 30 % damage, level L 7 %. */
const LEVELS = ['H', 'Q', 'M', 'L'] as const;

/** A QR code for a square of a known size. */
export interface StickerCodeImage {
  /** The rows without the quiet zone; true is dark. */
  readonly rows: readonly (readonly boolean[])[];
  /** The side of a module in millimeters. */
  readonly module: number;
}

/**
 * Returns the QR code of a link for a square with this side in millimeters, its quiet zone included, or null where its
 * modules would be too small to be read.
 *
 * A code has as few and thus as large modules as possible, with the strongest error correction that they hold. A large
 * square has room for more modules and a still stronger one. `benchmarks/sticker-reading.ts` measures both.
 */
export function stickerCode(link: string, side: number): StickerCodeImage | null {
  for (const ecc of LEVELS) {
    const smallest = ecc === 'L' ? SMALLEST_MODULE : COMFORTABLE_MODULE;
    const code = encodeUpTo(link, ecc, Math.floor(side / smallest + ROUNDING) - 2 * QUIET_MODULES);
    if (code !== null) return { rows: code.data, module: side / (code.size + 2 * QUIET_MODULES) };
  }
  return null;
}

/** Returns the QR code if it has at most so many modules a side. Refusing one costs a small part of encoding it. */
function encodeUpTo(link: string, ecc: (typeof LEVELS)[number], modules: number): QrCodeGenerateResult | null {
  // Version v has 17 + 4 v modules a side, up to version 40 (ISO/IEC 18004).
  const maxVersion = Math.min(40, Math.floor((modules - 17) / 4));
  if (maxVersion < 1) return null;
  try {
    return encode(link, { ecc, border: 0, boostEcc: true, maxVersion });
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Data too long') return null;
    throw error;
  }
}
