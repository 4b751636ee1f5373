import { FairQueue, QueueFull } from '#server/limits/fair-queue.ts';
import { busy, notRendered } from '../errors.ts';
import { loadSharp } from './load-sharp.ts';
import { MOST_SOURCE_PIXELS, QUALITY, SECONDS_OF_ONE } from './picture-reader.ts';
import type { Transform } from './transform.ts';

/** A picture as it was asked for, without the metadata of its source. */
interface MadePicture {
  readonly bytes: Buffer;
  readonly mimetype: string;
}

/** Makes pictures of stored ones on demand. */
export interface PictureMaker {
  /**
   * Decodes what `read` returns by its content and encodes it as asked. A picture is never enlarged. `read` is called
   * when it is its turn: one picture is made at a time, that of the network address that has used the least time lately
   * first. Throws InvalidRequest for what is no still picture of at most 40 megapixels, and ServiceUnavailable where the
   * queue is full.
   */
  make(read: () => Promise<Uint8Array>, transform: Transform, address: string): Promise<MadePicture>;
}

const MOST_WAITING = 24;
const FITS = { cover: 'cover', contain: 'inside', fill: 'fill' } as const;
/** Little effort: the best compression of a large picture takes many seconds. */
const AVIF_EFFORT = 1;

export function createPictureMaker(): PictureMaker {
  // A queue of its own, so that visitors of pictures delay no upload.
  const queue = new FairQueue({ mostWaiting: MOST_WAITING });
  return {
    async make(read, transform, address) {
      try {
        return await queue.run(address, async () => encode(await read(), transform));
      } catch (error) {
        throw error instanceof QueueFull ? busy() : error;
      }
    },
  };
}

async function encode(source: Uint8Array, { width, height, resize, quality, format }: Transform): Promise<MadePicture> {
  const sharp = await loadSharp();
  try {
    const picture = sharp(source, { limitInputPixels: MOST_SOURCE_PIXELS, failOn: 'error', sequentialRead: true });
    const { format: own, pages = 1 } = await picture.metadata();
    if (pages > 1) throw new Error('The picture is animated.');
    if (width !== undefined || height !== undefined) {
      const fit = FITS[resize ?? 'cover'];
      picture.resize({ width, height, fit, withoutEnlargement: true });
    }
    const wanted = format === undefined || format === 'origin' ? formatOf(own) : format;
    const { data } = await picture
      .autoOrient()
      .toFormat(wanted, { quality: quality ?? QUALITY, ...(wanted === 'avif' && { effort: AVIF_EFFORT }) })
      .timeout({ seconds: SECONDS_OF_ONE })
      .toBuffer({ resolveWithObject: true });
    return { bytes: data, mimetype: `image/${wanted}` };
  } catch (cause) {
    throw notRendered(cause);
  }
}

function formatOf(own: string | undefined): 'jpeg' | 'png' | 'webp' | 'avif' {
  if (own === 'heif') return 'avif';
  if (own === 'jpeg' || own === 'png' || own === 'webp') return own;
  throw new Error(`The picture has the format ${own}.`);
}
