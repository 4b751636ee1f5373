import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { choiceNotOffered, noSuchBucket } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { readJson } from '../wire/read-json.ts';
import { bucketSettings, readFileSize } from './bucket.ts';

const bodySchema = v.object(bucketSettings);

/** Changes the given settings of a bucket. Throws NoSuchBucket where the caller may not change it. */
export async function updateBucket(
  { database }: StorageContext,
  caller: Caller,
  id: string,
  request: Request,
): Promise<{ message: string }> {
  const body = await readJson(request, bodySchema);
  if ((body.versioning_status ?? 'DISABLED').toUpperCase() !== 'DISABLED') throw choiceNotOffered('Versioning');
  const { file_size_limit: size, allowed_mime_types: types } = body;
  const { rowCount } = await database.asCaller(caller, {
    name: 'storage_update_bucket',
    text: `update storage.buckets set
             public = coalesce($2, public),
             file_size_limit = case when $3 then $4 else file_size_limit end,
             allowed_mime_types = case when $5 then $6 else allowed_mime_types end
             where id = $1`,
    values: [
      id,
      body.public ?? null,
      size !== undefined,
      size === undefined ? null : readFileSize(size),
      types !== undefined,
      types ?? null,
    ],
  });
  if (rowCount === 0) throw noSuchBucket();
  return { message: 'Successfully updated' };
}
