import type { Caller } from '#server/postgres/caller.ts';
import { serviceOnly } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { getBucket } from './get-bucket.ts';

/** Removes every object of a bucket. Only the service may. A job deletes the files. */
export async function emptyBucket(context: StorageContext, caller: Caller, id: string): Promise<{ message: string }> {
  if (caller.role !== 'service_role') throw serviceOnly();
  await getBucket(context, caller, id);
  await context.database.asCaller(caller, {
    name: 'storage_empty_bucket',
    text: 'delete from storage.objects where bucket_id = $1',
    values: [id],
  });
  return { message: 'Empty bucket has been queued. Completion may take up to an hour.' };
}
