/** Where in an object store backups are. */
export interface BucketAddress {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
}

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9._-]+)*)\/?$/;

/** @example readBucketAddress('s3://bucket/some/prefix'). Returns null for another text, such as the path of a folder. */
export function readBucketAddress(address: string): BucketAddress | null {
  const [, bucket, path = ''] = ADDRESS.exec(address) ?? [];
  return bucket === undefined ? null : { bucket, prefix: path === '' ? '' : `${path.slice(1)}/` };
}

/** Whether it is to be the address of a bucket, which may be malformed, and not the path of a folder. */
export function isInBucket(address: string): boolean {
  return address.startsWith('s3://');
}
