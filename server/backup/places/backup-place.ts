import { basename, dirname, resolve } from 'node:path';
import { OperatorError } from '#server/operator-error.ts';
import type { S3Account } from '#server/storage/blobs/s3-bucket.ts';
import { isInBucket, readBucketAddress } from './bucket-address.ts';
import { bucketPlace } from './bucket-place.ts';
import { folderPlace } from './folder-place.ts';

export interface PlacedFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Where backups are: a folder, or a bucket of an object store. Its methods throw an OperatorError or a
 * `BlobStoreUnavailable` where it fails.
 */
export interface BackupPlace {
  /** An absolute path, or such as `s3://bucket/prefix`. */
  readonly address: string;
  /** Returns the address of a file of this name. */
  addressOf(name: string): string;
  /** All files in it, in the order of their names; none where the folder does not exist. */
  list(): Promise<readonly PlacedFile[]>;
  /** Reads a file. Bounded parts of it are in memory. */
  read(name: string): AsyncGenerator<Uint8Array>;
  /**
   * Writes a new file, which has its name only once it is whole and durable. `work` gets a function that resolves once it
   * takes more. A failure leaves nothing, and what killed runs have left is removed first, after a while.
   */
  write<Result>(name: string, work: (pass: (bytes: Buffer) => Promise<void>) => Promise<Result>): Promise<Result>;
  /** Writes a small file in place of the one that may be there. */
  replace(name: string, text: string): Promise<void>;
  /** A missing file is no error. */
  remove(name: string): Promise<void>;
  /** How many bytes there is room for; null where nobody knows. */
  free(): Promise<number | null>;
}

/** What places in an object store need of the settings. */
export interface PlaceSettings {
  /** Null where there is none. */
  readonly account: S3Account | null;
  /** The bucket of uploaded files, whose sweep would remove backups; null where they are in a folder. */
  readonly filesBucket: string | null;
}

/** Opens the place at an address: a path, or such as `s3://bucket/prefix`. Throws an OperatorError where it cannot be one. */
export function openPlace(address: string, { account, filesBucket }: PlaceSettings): BackupPlace {
  if (!isInBucket(address)) return folderPlace(resolve(address));
  const inBucket = readBucketAddress(address);
  if (inBucket === null) throw new OperatorError(`${address} must be such as s3://bucket/prefix.`);
  if (account === null) {
    throw new OperatorError(
      `${address} needs the settings of an object store: S3_ENDPOINT, S3_ACCESS_KEY_ID, and S3_SECRET_ACCESS_KEY.`,
    );
  }
  if (inBucket.bucket === filesBucket) {
    throw new OperatorError(
      `${address} is in the bucket of uploaded files, S3_BUCKET. Backups need a bucket of their own.`,
    );
  }
  return bucketPlace(inBucket, account);
}

/** Returns the place and the name of a file. */
export function placeOf(file: string, settings: PlaceSettings): { readonly place: BackupPlace; readonly name: string } {
  if (!isInBucket(file)) return { place: openPlace(dirname(resolve(file)), settings), name: basename(file) };
  const at = file.lastIndexOf('/');
  return { place: openPlace(file.slice(0, at), settings), name: file.slice(at + 1) };
}
