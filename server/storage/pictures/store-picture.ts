import { randomUUID } from 'node:crypto';
import { etagOfSha256 } from '#server/http/etag.ts';
import { removeUnlessKept } from '../blobs/remove-unless-kept.ts';
import { describeContent, type StoredContent } from '../blobs/stored-content.ts';
import type { BucketRules } from '../buckets/bucket.ts';
import type { StorageContext } from '../storage-context.ts';
import type { ReceivedUpload } from '../uploads/receive-upload.ts';
import type { PictureSize } from './picture-reader.ts';

/** The content under a given name never changes. */
const CACHE_CONTROL = 'max-age=31536000, immutable';

/** Stores a picture in two sizes. Nothing of the uploaded file is kept. */
export async function storePicture(
  { pictures, spool, blobs, now }: Pick<StorageContext, 'pictures' | 'spool' | 'blobs' | 'now'>,
  { file }: Pick<ReceivedUpload, 'file'>,
  rules: Pick<BucketRules, 'public'>,
  account: string | null,
): Promise<StoredContent> {
  const { large, small } = await pictures.read(file.path, account);
  const put = async ({ bytes }: PictureSize) => {
    const version = randomUUID();
    const made = await spool.receive(onceFrom(bytes), bytes.length, null);
    try {
      await blobs.put(version, made);
    } finally {
      await spool.drop(made);
    }
    return { version, ...made };
  };
  const rendition = await put(small);
  const whole = await put(large).catch(async (error: unknown) => {
    await removeUnlessKept({ blobs }, error, [rendition.version]);
    throw error;
  });
  const cacheControl = `${rules.public ? 'public' : 'private'}, ${CACHE_CONTROL}`;
  return {
    version: whole.version,
    metadata: {
      ...describeContent(whole, 'image/webp', cacheControl, now()),
      width: large.width,
      height: large.height,
    },
    renditions: [
      {
        version: rendition.version,
        width: small.width,
        height: small.height,
        size: rendition.size,
        eTag: etagOfSha256(rendition.sha256),
      },
    ],
  };
}

async function* onceFrom(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
