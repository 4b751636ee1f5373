import { encode } from 'uqr';
import { QUIET_MODULES } from './sticker-layout.ts';

/** The strongest error correction is chosen whose modules are at least this large, in millimeters. */
const COMFORTABLE_MODULE = 0.5;
/** Smaller modules, in millimeters, are not printed: office printers and old phones lose them. */
const SMALLEST_MODULE = 0.33;
/** From the strongest. Level M tolerates about 15 % damage. */
const LEVELS = ['H', 'Q', 'M'] as const;

/** A QR code for a square of a known size. */
export interface StickerCodeImage {
  /** The rows without the quiet zone; true is dark. */
  readonly rows: readonly (readonly boolean[])[];
  /** The side of a module in millimeters. */
  readonly module: number;
}

/**
 * Returns the QR code of a link for a square with this side in millimeters, its quiet zone included, or null where its
 * modules would be too small to be read. Where the square has room, the error correction is raised.
 */
export function stickerCode(link: string, side: number): StickerCodeImage | null {
  for (const ecc of LEVELS) {
    const { data, size } = encode(link, { ecc, border: 0, boostEcc: true });
    const module = side / (size + 2 * QUIET_MODULES);
    if (module >= COMFORTABLE_MODULE || (ecc === 'M' && module >= SMALLEST_MODULE)) return { rows: data, module };
  }
  return null;
}
