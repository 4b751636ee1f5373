import { drawOnWhite, UnreadablePicture } from '#app/browser/shrink-picture.ts';
import { randomId } from '#domain/ids.ts';
import type { LogoPicture } from '#domain/stickers/sticker-drawing.ts';

/** A picture of the owner's own, ready to be drawn. It never leaves the browser. */
export interface Logo extends LogoPicture {
  /** Another one for each file that was chosen. */
  readonly id: string;
  /** For canvases. */
  readonly picture: HTMLCanvasElement;
}

/** In pixels, of the longer side: 600 dots per inch on a logo of 27 mm. */
export const LONGER_SIDE = 640;
/** In bytes. Larger files are photos out of a camera, or not pictures. */
const MOST_BYTES = 20 * 1024 * 1024;
const QUALITY = 0.95;

/** Returns the logo in a file: PNG, JPEG, SVG, or whatever the browser shows. Throws `UnreadablePicture`. */
export async function readLogo(file: Blob): Promise<Logo> {
  if (file.size > MOST_BYTES) throw new UnreadablePicture('The file is too large for a logo.');
  const address = URL.createObjectURL(file);
  try {
    // A drawing has a size of its own, and is sharp in any.
    return await drawLogo(address, file.type === 'image/svg+xml' ? Number.POSITIVE_INFINITY : 1);
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Returns a logo again, from its source. Throws `UnreadablePicture`. */
export async function openLogo(source: string): Promise<Logo> {
  return { ...(await drawLogo(source, 1)), source };
}

/** Returns the picture at an address as a logo, at most as many times larger as `most`. */
async function drawLogo(address: string, most: number): Promise<Logo> {
  try {
    // As an image, because browsers decode drawings (SVG) only so. Their scripts do not run, and they load nothing.
    const image = new Image();
    image.src = address;
    await image.decode();
    const longer = Math.max(image.width, image.height);
    if (longer === 0) throw new UnreadablePicture('The picture has no size.');
    const picture = drawOnWhite(image, Math.min(most, LONGER_SIDE / longer));
    // A PDF takes a JPEG as it is. The PNG of a canvas has to be unpacked for it, in a worker that no policy of ours allows.
    const source = picture.toDataURL('image/jpeg', QUALITY);
    return { id: randomId(), source, picture, width: picture.width, height: picture.height };
  } catch (cause) {
    throw new UnreadablePicture('The logo could not be decoded.', { cause });
  }
}
