import { encode, type QrCodeGenerateResult } from 'uqr';
import { QUIET_MODULES } from './sticker-layout.ts';

/** Smaller modules, in millimeters, are not printed: office printers and old phones lose them. */
const SMALLEST_MODULE = 0.33;
/** Allows for the rounding of a side that is exactly so many modules. */
const ROUNDING = 1e-9;

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
 * A code has as few and thus as large modules as possible, with the strongest error correction that they hold. More of
 * them for a stronger one are read less often, on labels of every size (`benchmarks/sticker-reading.ts`).
 */
export function stickerCode(link: string, side: number): StickerCodeImage | null {
  const mostModules = Math.floor(side / SMALLEST_MODULE + ROUNDING) - 2 * QUIET_MODULES;
  const code = encodeUpTo(link, mostModules);
  return code === null ? null : { rows: code.data, module: side / (code.size + 2 * QUIET_MODULES) };
}

/** Returns the QR code if it has at most so many modules a side. Refusing one costs a small part of encoding it. */
function encodeUpTo(link: string, modules: number): QrCodeGenerateResult | null {
  // Version v has 17 + 4 v modules a side, up to version 40 (ISO/IEC 18004).
  const maxVersion = Math.min(40, Math.floor((modules - 17) / 4));
  if (maxVersion < 1) return null;
  try {
    return encode(link, { ecc: 'L', border: 0, boostEcc: true, maxVersion });
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Data too long') return null;
    throw error;
  }
}
