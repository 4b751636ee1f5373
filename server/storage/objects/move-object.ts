import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { noSuchKey } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { requireBucketId, requireObjectName } from '../wire/object-path.ts';
import { readJson } from '../wire/read-json.ts';
import { requireCompatible } from './upload-rules.ts';

export const relocationFields = {
  bucketId: v.string(),
  sourceKey: v.string(),
  destinationKey: v.string(),
  destinationBucket: v.optional(v.string()),
};

const bodySchema = v.object(relocationFields);

/** Renames an object or moves it to another bucket. Its file is not moved, because names are not part of its path. */
export async function moveObject(
  { database, mostBytes }: StorageContext,
  caller: Caller,
  request: Request,
): Promise<{ message: string; Id: string; Key: string }> {
  const body = await readJson(request, bodySchema);
  const source = { bucketId: requireBucketId(body.bucketId), name: requireObjectName(body.sourceKey) };
  const to = {
    bucketId: requireBucketId(body.destinationBucket ?? source.bucketId),
    name: requireObjectName(body.destinationKey),
  };
  await requireCompatible({ database, mostBytes }, caller, source, to.bucketId);
  const { rows } = await database.asCaller<{ id: string }>(caller, {
    name: 'storage_move_object',
    text: `update storage.objects set bucket_id = $3, name = $4 where bucket_id = $1 and name = $2 returning id`,
    values: [source.bucketId, source.name, to.bucketId, to.name],
  });
  const [moved] = rows;
  if (moved === undefined) throw noSuchKey();
  return { message: 'Successfully moved', Id: moved.id, Key: `${to.bucketId}/${to.name}` };
}
