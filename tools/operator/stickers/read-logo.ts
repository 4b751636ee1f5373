import sharp from 'sharp';
import type { LogoPicture } from '#domain/stickers/sticker-drawing.ts';
import { OperatorError } from '#server/operator-error.ts';

/** In pixels, of the longer side, as in the browser. */
const LONGER_SIDE = 640;
/** In dots per inch: how finely a drawing (SVG) is turned into pixels, before it is made smaller. */
const DRAWING_DENSITY = 300;

/** Returns the picture in a file, upright and on white. Throws an OperatorError where it is none. */
export async function readLogo(file: string): Promise<LogoPicture> {
  try {
    const { data, info } = await sharp(file, { density: DRAWING_DENSITY })
      .autoOrient()
      .resize({ width: LONGER_SIDE, height: LONGER_SIDE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .png()
      .toBuffer({ resolveWithObject: true });
    return { source: `data:image/png;base64,${data.toString('base64')}`, width: info.width, height: info.height };
  } catch (cause) {
    throw new OperatorError(`Could not read the picture in ${file}. A logo is a PNG, JPEG, or SVG file.`, { cause });
  }
}
