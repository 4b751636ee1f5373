import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { noSuchKey } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import type { ObjectPath } from '../wire/object-path.ts';
import { readJson } from '../wire/read-json.ts';
import { OBJECT_COLUMNS } from './object-row.ts';

const bodySchema = v.object({ prefixes: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(1000)) });

/** Removes the named objects that the caller may remove, and answers with those rows. */
export async function removeObjects(
  { database }: StorageContext,
  caller: Caller,
  bucketId: string,
  request: Request,
): Promise<unknown[]> {
  const { prefixes } = await readJson(request, bodySchema);
  const { rows } = await database.asCaller(caller, {
    name: 'storage_remove_objects',
    text: `delete from storage.objects where bucket_id = $1 and name = any ($2) returning ${OBJECT_COLUMNS}`,
    values: [bucketId, prefixes.filter((name) => name.isWellFormed() && !name.includes('\0'))],
  });
  return rows;
}

/** Throws NoSuchKey for one that is not there or not the caller's to remove. */
export async function removeObject(
  { database }: StorageContext,
  caller: Caller,
  { bucketId, name }: ObjectPath,
): Promise<{ message: string }> {
  const { rowCount } = await database.asCaller(caller, {
    name: 'storage_remove_object',
    text: 'delete from storage.objects where bucket_id = $1 and name = $2',
    values: [bucketId, name],
  });
  if (rowCount === 0) throw noSuchKey();
  return { message: 'Successfully deleted' };
}
