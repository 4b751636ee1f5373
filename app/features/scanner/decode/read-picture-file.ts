import { drawPicture } from './draw-picture.ts';
import { openQrReader } from './qr-reader.ts';

/** Pixels of the longest side, tried in this order: a code that fills the picture, then a small one in a large picture. */
const SIZES = [1_024, 2_560];

/** What the code in a picture file says, or null where none is seen. Rejects where the file is no picture. */
export async function readPictureFile(file: Blob): Promise<string | null> {
  const picture = await createImageBitmap(file);
  const reader = await openQrReader();
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
