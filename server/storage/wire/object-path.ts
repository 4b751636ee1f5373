import { invalidBucketName, invalidKey } from '../errors.ts';

/** What the address of an object says: the bucket and the object's name. */
export interface ObjectPath {
  readonly bucketId: string;
  readonly name: string;
}

const MOST_NAME_BYTES = 1_024;
const NAME = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const BUCKET = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/;

/** Reads `bucket/folder/name` as it stands in a request's path, percent-encoded. Throws InvalidKey. */
export function readObjectPath(encoded: string): ObjectPath {
  const slash = encoded.indexOf('/');
  if (slash === -1) throw invalidKey('');
  const bucketId = requireBucketId(decode(encoded.slice(0, slash)));
  return { bucketId, name: requireObjectName(decode(encoded.slice(slash + 1))) };
}

/** Reads the bucket at the beginning of what stands in a request's path, percent-encoded. Throws InvalidBucketName. */
export function readBucketPath(encoded: string): string {
  return requireBucketId(decode(encoded.split('/', 1)[0] ?? ''));
}

/** Throws InvalidBucketName for what cannot be the id of a bucket. */
export function requireBucketId(id: string): string {
  if (!BUCKET.test(id) || id.trim() !== id) throw invalidBucketName();
  return id;
}

/**
 * Throws InvalidKey for a name with other characters than the contract's, an empty part, or one that means "this folder"
 * or "the one above". No name is ever part of a path on a disk; this keeps addresses and lists unambiguous.
 */
export function requireObjectName(name: string): string {
  const ambiguous = name.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (!NAME.test(name) || ambiguous || name.length > MOST_NAME_BYTES) throw invalidKey(name.slice(0, 200));
  return name;
}

/** The path of an object in an address, each part encoded. */
export function encodeObjectPath({ bucketId, name }: ObjectPath): string {
  return [bucketId, ...name.split('/')].map(encodeURIComponent).join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidKey('');
  }
}
