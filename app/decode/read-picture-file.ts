import { openQrReader } from './qr-reader.ts';

/**
 * The longest side in pixels, tried in this order: for a code that fills the picture, then for a small one in a large
 * picture.
 */
const SIZES = [1_024, 2_560];

/**
 * Returns the text of the code in a picture file, or null where none was found. Rejects where the file is not a
 * picture.
 *
 * @param decoder - As for `openQrReader`.
 */
export async function readPictureFile(file: Blob, decoder: string): Promise<string | null> {
  const picture = await createImageBitmap(file);
  const reader = await openQrReader(decoder);
  const canvas = document.createElement('canvas');
  try {
    for (const longest of SIZES) {
      drawPicture(canvas, picture, { width: picture.width, height: picture.height, longest });
      const text = await reader.read(canvas);
      if (text !== null) return text;
    }
    return null;
  } finally {
    reader.close();
    picture.close();
  }
}

/**
 * Draws a picture into the canvas, scaled so that neither side exceeds `longest` pixels. A larger picture takes longer
 * and finds no more codes.
 */
export function drawPicture(
  canvas: HTMLCanvasElement,
  picture: CanvasImageSource,
  { width, height, longest }: { readonly width: number; readonly height: number; readonly longest: number },
): void {
  const scale = Math.min(1, longest / Math.max(width, height));
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d', { willReadFrequently: true })?.drawImage(picture, 0, 0, canvas.width, canvas.height);
}
