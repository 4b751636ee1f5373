import type { Caller } from '#server/postgres/caller.ts';
import type { BucketRules } from '../buckets/bucket.ts';
import { readBucketRules } from '../buckets/bucket.ts';
import { invalidRequest, mimeTypeNotSupported, slowDown, tooLarge } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import type { ObjectPath } from '../wire/object-path.ts';
import { findObjectAs } from './find-object.ts';

/** Returns the size limit of an upload, in bytes. */
export function largestOf({ file_size_limit }: BucketRules, mostBytes: number): number {
  return Math.min(file_size_limit ?? mostBytes, mostBytes);
}

/** Counts a picture that an account uploads. Throws SlowDown beyond the limit. */
export async function takePicture(
  { limits }: Pick<StorageContext, 'limits'>,
  { pictures }: BucketRules,
  owner: string | null,
): Promise<void> {
  if (!pictures || owner === null) return;
  const taken = await limits.take('pictures_per_account', owner);
  if (!taken.allowed) throw slowDown(taken.retryAfterSeconds);
}

/** Throws InvalidMimeType where the bucket does not accept the type. `image/*` accepts every image. */
export function requireAllowedType({ allowed_mime_types: allowed }: BucketRules, contentType: string): void {
  if (allowed === null) return;
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const fits = (pattern: string) =>
    pattern === '*/*' || pattern === type || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)));
  if (!allowed.some((pattern) => fits(pattern.toLowerCase()))) throw mimeTypeNotSupported(contentType);
}

/**
 * Requires that an object from another bucket could have been uploaded to the destination, so that copying and moving
 * do not bypass its limits. Throws NoSuchKey where the caller cannot see the source.
 */
export async function requireCompatible(
  { database, mostBytes }: Pick<StorageContext, 'database' | 'mostBytes'>,
  caller: Caller,
  source: ObjectPath,
  destinationBucketId: string,
): Promise<void> {
  const { metadata } = await findObjectAs(caller)(database, source);
  if (destinationBucketId === source.bucketId) return;
  const rules = await readBucketRules(database, destinationBucketId);
  if (rules.pictures) throw invalidRequest('A picture must be uploaded to this bucket');
  requireAllowedType(rules, metadata?.mimetype ?? '');
  if ((metadata?.size ?? 0) > largestOf(rules, mostBytes)) throw tooLarge();
}
