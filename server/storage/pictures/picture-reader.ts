import type { Metadata, Sharp } from 'sharp';
import { FairQueue, QueueFull } from '#server/limits/fair-queue.ts';
import { busy, notAPicture } from '../errors.ts';
import { loadSharp } from './load-sharp.ts';

/** A picture in one size, as WebP without metadata such as place, time or camera. */
export interface PictureSize {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

interface ReadPicture {
  readonly large: PictureSize;
  readonly small: PictureSize;
}

/** Converts uploaded pictures to still WebP pictures. */
export interface PictureReader {
  /**
   * Decodes a file by its content, whatever its name; applies its orientation; and encodes it in two sizes.
   *
   * Throws InvalidPicture where it is not a picture, is animated, or has more than 40 megapixels according to its
   * header, and ServiceUnavailable where the queue is full. The account that has used the least
   * time lately goes first; the service's own pictures (null) count as one account, and so do those of all finders.
   */
  read(path: string, account: string | null): Promise<ReadPicture>;
}

/** In pixels, of the longer side. */
const LARGE = 1280;
const SMALL = 320;

export const MOST_SOURCE_PIXELS = 40_000_000;
const MOST_WAITING = 24;
/** How long one picture may take. */
export const SECONDS_OF_ONE = 20;
/** Of a picture for which none is asked. */
export const QUALITY = 80;

export function createPictureReader(): PictureReader {
  const queue = new FairQueue({ mostWaiting: MOST_WAITING });
  return {
    async read(path, account) {
      try {
        return await queue.run(account ?? '', () => decode(path));
      } catch (error) {
        throw error instanceof QueueFull ? busy() : error;
      }
    },
  };
}

async function decode(path: string): Promise<ReadPicture> {
  const sharp = await loadSharp();
  requireStill(
    // This reads only the header.
    await sharp(path, { limitInputPixels: false })
      .metadata()
      .catch((cause: unknown) => {
        throw notAPicture('The file is no picture that can be read', cause);
      }),
  );
  try {
    const picture = sharp(path, { limitInputPixels: MOST_SOURCE_PIXELS, failOn: 'error', sequentialRead: true });
    const large = await encode(picture, LARGE);
    return { large, small: await encode(sharp(large.bytes), SMALL) };
  } catch (cause) {
    throw notAPicture('The picture is damaged', cause);
  }
}

function requireStill({ width, height, pages = 1 }: Metadata): void {
  if (width * height > MOST_SOURCE_PIXELS) throw notAPicture('The picture has more than 40 megapixels');
  if (pages > 1) throw notAPicture('The picture is animated');
}

/** `autoOrient` applies the orientation from the metadata; the metadata is then dropped. */
async function encode(picture: Sharp, longerSide: number): Promise<PictureSize> {
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: longerSide, height: longerSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: SECONDS_OF_ONE })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
