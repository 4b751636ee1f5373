/** A file on this machine's disk that is on its way to the blob store. */
export interface SpooledFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** In lower-case hexadecimal. */
  readonly sha256: string;
}

/** Bytes from `first` to `last`, both included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

export interface StoredBlob {
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly storedAt: number;
}

/**
 * Where the contents of objects are kept. A key is a UUID that the service made up; nothing that anybody sent is ever part
 * of a path. A blob is written once and never changed. Every method throws `BlobStoreUnavailable` where the place
 * itself fails: a full disk, a service that does not answer.
 */
export interface BlobStore {
  /** Resolves once the blob would survive a power cut. Until then nobody can open it. The spooled file is used up. */
  put(key: string, file: SpooledFile): Promise<void>;
  /** The whole blob or a range of it, or null where there is none. Whoever opens it reads it or cancels it. */
  open(key: string, range?: ByteRange): Promise<ReadableStream<Uint8Array> | null>;
  /** A second blob with the same content; false where there is none to copy. */
  copy(from: string, to: string): Promise<boolean>;
  /** Forgets it. One that is not there is fine. */
  remove(key: string): Promise<void>;
  /** Every blob, in no order. */
  list(): AsyncIterable<StoredBlob>;
}

/** The place for blobs failed. The cause is for the log. */
export class BlobStoreUnavailable extends Error {}

/** Whether a name is one that the service gives to blobs. */
export function isKey(name: string): boolean {
  return /^[0-9a-f-]{36}$/.test(name);
}

/** The last thing between a key and a path or an address. */
export function requireKey(key: string): string {
  if (!isKey(key)) throw new Error('This is no key of a blob.');
  return key;
}
