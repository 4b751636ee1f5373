import type { Caller } from '#server/postgres/caller.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { bucketNotEmpty, noSuchBucket } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';

/** Throws ResourceNotEmpty while the bucket has objects, and NoSuchBucket where the caller may not delete it. */
export async function deleteBucket(
  { database }: StorageContext,
  caller: Caller,
  id: string,
): Promise<{ message: string }> {
  try {
    const { rowCount } = await database.asCaller(caller, {
      name: 'storage_delete_bucket',
      text: 'delete from storage.buckets where id = $1',
      values: [id],
    });
    if (rowCount === 0) throw noSuchBucket();
  } catch (error) {
    // A foreign key violation: the bucket has objects.
    if (asPostgresError(error)?.code === '23503') throw bucketNotEmpty(error);
    throw error;
  }
  return { message: 'Successfully deleted' };
}
