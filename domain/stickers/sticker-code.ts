import { encode } from 'uqr';
import { QUIET_MODULES } from './sticker-layout.ts';

/** Smaller modules, in millimeters, are not printed: office printers and old phones lose them. */
const SMALLEST_MODULE = 0.33;
/** Allows for the rounding of a side that is exactly so many modules. */
const ROUNDING = 1e-9;

/** The rows of a QR code without its quiet zone; true is dark. */
export type QrRows = readonly (readonly boolean[])[];

/** Encodes a link, and returns null for one that no QR code can hold. */
export type EncodeLink = (link: string) => QrRows | null;

/** A QR code for a square of a known size. */
export interface StickerCodeImage {
  readonly rows: QrRows;
  /** The side of a module in millimeters. */
  readonly module: number;
}

/**
 * Returns the QR code of a link, which does not depend on what it is printed on.
 *
 * A code has as few and thus as large modules as possible, with the strongest error correction that they hold. More of
 * them for a stronger one are read less often, on labels of every size.
 */
export function encodeLink(link: string): QrRows | null {
  try {
    return encode(link, { ecc: 'L', border: 0, boostEcc: true }).data;
  } catch (error) {
    if (error instanceof RangeError && error.message === 'Data too long') return null;
    throw error;
  }
}

/**
 * Returns the QR code of a link for a square with this side in millimeters, its quiet zone included, or null where its
 * modules would be too small to be read.
 */
export function stickerCode(link: string, side: number, encoded: EncodeLink = encodeLink): StickerCodeImage | null {
  const mostModules = Math.floor(side / SMALLEST_MODULE + ROUNDING) - 2 * QUIET_MODULES;
  const rows = encoded(link);
  if (rows === null || rows.length > mostModules) return null;
  return { rows, module: side / (rows.length + 2 * QUIET_MODULES) };
}
