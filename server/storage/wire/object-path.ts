import { invalidBucketName, invalidKey } from '../errors.ts';

/** The bucket and the name of an object. */
export interface ObjectPath {
  readonly bucketId: string;
  readonly name: string;
}

const MOST_NAME_BYTES = 1_024;
const NAME = /^[A-Za-z0-9_/!.*'() &$=@;:+,?-]+$/;
const BUCKET = /^[A-Za-z0-9_!.*'() &$=@;:+,?-]{1,100}$/;

/** Reads `bucket/folder/name` from a percent-encoded path. Throws InvalidKey and InvalidBucketName. */
export function readObjectPath(encoded: string): ObjectPath {
  const slash = encoded.indexOf('/');
  if (slash === -1) throw invalidKey('');
  const bucketId = requireBucketId(decode(encoded.slice(0, slash)));
  return { bucketId, name: requireObjectName(decode(encoded.slice(slash + 1))) };
}

/** Reads the bucket at the beginning of a percent-encoded path. Throws InvalidBucketName. */
export function readBucketPath(encoded: string): string {
  return requireBucketId(decode(encoded.split('/', 1)[0] ?? ''));
}

/** Throws InvalidBucketName where the id is not valid. */
export function requireBucketId(id: string): string {
  if (!BUCKET.test(id) || id.trim() !== id) throw invalidBucketName();
  return id;
}

/**
 * Throws InvalidKey for a name with characters that are not allowed, or with an empty, `.` or `..` segment. Names are
 * not used in file paths; the rule keeps URLs and listings unambiguous.
 */
export function requireObjectName(name: string): string {
  const ambiguous = name.split('/').some((part) => part === '' || part === '.' || part === '..');
  if (!NAME.test(name) || ambiguous || name.length > MOST_NAME_BYTES) throw invalidKey(name.slice(0, 200));
  return name;
}

/** Returns an object's path for a URL, with each segment encoded. */
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
