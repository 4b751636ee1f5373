import type { Caller } from '#server/postgres/caller.ts';
import { noSuchBucket } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { BUCKET_COLUMNS, type Bucket } from './bucket.ts';

/** Throws NoSuchBucket where the bucket does not exist or the caller may not see it. */
export async function getBucket({ database }: StorageContext, caller: Caller, id: string): Promise<Bucket> {
  const { rows } = await database.asCaller<Bucket>(caller, {
    name: 'storage_get_bucket',
    text: `select ${BUCKET_COLUMNS} from storage.buckets where id = $1`,
    values: [id],
  });
  const [bucket] = rows;
  if (bucket === undefined) throw noSuchBucket();
  return bucket;
}
