import sharp, { type Metadata, type Sharp } from 'sharp';
import { FairQueue, QueueFull } from '#server/fair-queue.ts';
import { busy, notAPicture } from '../errors.ts';

/** A picture in one size, as WebP, without a word about where, when or with what it was taken. */
export interface PictureSize {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

interface ReadPicture {
  readonly large: PictureSize;
  readonly small: PictureSize;
}

/** Makes a still picture of ours out of whatever was sent. */
export interface PictureReader {
  /**
   * Decodes the file by what it holds, whatever it was called; turns it upright; encodes it anew in two sizes. Throws
   * InvalidPicture for what is none, is animated, or has more than 40 megapixels by its header; ServiceUnavailable
   * where too many wait. Accounts take turns; the service's own pictures (null) count as those of one account.
   */
  read(path: string, account: string | null): Promise<ReadPicture>;
}

/** In pixels, of the longer side. */
const LARGE = 1280;
const SMALL = 320;

const MOST_PIXELS = 40_000_000;
const MOST_WAITING = 24;
const SECONDS = 20;
const QUALITY = 80;

// Of all that the library could open (SVG, PDF, GIF, TIFF, text …) only what cameras and browsers make.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
});
// A 40-megapixel picture takes 160 MB while it is decoded, so one at a time, in one thread, and nothing kept.
sharp.concurrency(1);
sharp.cache(false);

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
  requireStill(
    // Only the header is read for this.
    await sharp(path, { limitInputPixels: false })
      .metadata()
      .catch((cause: unknown) => {
        throw notAPicture('The file is no picture that can be read', cause);
      }),
  );
  try {
    const picture = sharp(path, { limitInputPixels: MOST_PIXELS, failOn: 'error', sequentialRead: true });
    const large = await encode(picture, LARGE);
    return { large, small: await encode(sharp(large.bytes), SMALL) };
  } catch (cause) {
    throw notAPicture('The picture is damaged', cause);
  }
}

function requireStill({ width, height, pages = 1 }: Metadata): void {
  if (width * height > MOST_PIXELS) throw notAPicture('The picture has more than 40 megapixels');
  if (pages > 1) throw notAPicture('The picture is animated');
}

/** `autoOrient` applies what the camera noted about how it was held; then nothing of its notes is kept. */
async function encode(picture: Sharp, longerSide: number): Promise<PictureSize> {
  const { data, info } = await picture
    .autoOrient()
    .resize({ width: longerSide, height: longerSide, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .timeout({ seconds: SECONDS })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
}
