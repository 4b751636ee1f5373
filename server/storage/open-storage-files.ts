import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openDiskBlobStore } from './blobs/disk-blob-store.ts';
import { createS3BlobStore } from './blobs/s3-blob-store.ts';
import { openSpool, type Spool } from './blobs/spool.ts';
import { createPictureReader, type PictureReader } from './pictures/picture-reader.ts';

/** The blob store, the spool for arriving uploads, and what converts those that are pictures. */
export interface StorageFiles {
  readonly blobs: BlobStore;
  readonly spool: Spool;
  readonly pictures: PictureReader;
}

/** Opens the configured object store, or a store in the data folder on the same file system as the spool. */
export async function openStorageFiles({
  dataDirectory,
  storage,
}: Pick<Config, 'dataDirectory' | 'storage'>): Promise<StorageFiles> {
  const folder = join(dataDirectory, 'storage');
  const arriving = join(folder, 'arriving');
  return {
    spool: await openSpool(arriving),
    pictures: createPictureReader(),
    blobs:
      storage.s3 === null
        ? await openDiskBlobStore({ directory: join(folder, 'blobs'), arriving })
        : createS3BlobStore(storage.s3),
  };
}
