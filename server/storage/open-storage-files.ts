import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { type DiskReserve, diskReserve } from '#server/data-folder/disk-reserve.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { BlobStore } from './blobs/blob-store.ts';
import { openDiskBlobStore } from './blobs/disk-blob-store.ts';
import { createS3BlobStore } from './blobs/s3-blob-store.ts';
import { openSpool, type Spool } from './blobs/spool.ts';
import { createPictureMaker, type PictureMaker } from './pictures/picture-maker.ts';
import { createPictureReader, type PictureReader } from './pictures/picture-reader.ts';
import { UploadPlaces } from './uploads/upload-places.ts';

/**
 * The blob store, the spool for arriving uploads, the disk that holds them, what converts those that are pictures, and
 * what makes pictures of stored ones.
 */
export interface StorageFiles {
  readonly blobs: BlobStore;
  readonly spool: Spool;
  readonly places: UploadPlaces;
  readonly disk: DiskReserve;
  readonly pictures: PictureReader;
  readonly maker: PictureMaker;
}

/** Opens the store, and the spool on the same file system as a store in the data folder. */
export async function openStorageFiles(
  { dataDirectory, storage, webProcesses }: Pick<Config, 'dataDirectory' | 'storage' | 'webProcesses'>,
  log: ServiceLog,
): Promise<StorageFiles> {
  const folder = join(dataDirectory, 'storage');
  const arriving = arrivingFolder(dataDirectory);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const disk = diskReserve(folder, log);
  const places = new UploadPlaces({ largestFile: storage.fileSizeLimit, processes: webProcesses });
  return {
    disk,
    places,
    spool: await openSpool({ directory: arriving, disk, places }),
    pictures: createPictureReader(),
    maker: createPictureMaker(),
    blobs: await openBlobStore({ dataDirectory, storage }, disk),
  };
}

/** Opens the configured object store, or a store in the data folder. */
export async function openBlobStore(
  { dataDirectory, storage }: Pick<Config, 'dataDirectory' | 'storage'>,
  disk: DiskReserve,
): Promise<BlobStore> {
  const folder = join(dataDirectory, 'storage');
  return storage.s3 === null
    ? openDiskBlobStore({ directory: join(folder, 'blobs'), arriving: arrivingFolder(dataDirectory), disk })
    : createS3BlobStore(storage.s3);
}

/** Where files are until they are whole. */
export function arrivingFolder(dataDirectory: string): string {
  return join(dataDirectory, 'storage', 'arriving');
}
