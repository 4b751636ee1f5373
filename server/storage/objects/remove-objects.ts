import * as v from 'valibot';
import { boundedArray } from '#server/http/bounded-array.ts';
import type { Caller } from '#server/postgres/caller.ts';
import { noSuchKey } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import type { ObjectPath } from '../wire/object-path.ts';
import { readJson } from '../wire/read-json.ts';
import { OBJECT_COLUMNS } from './object-row.ts';

const bodySchema = v.object({ prefixes: boundedArray(v.string(), { least: 1, most: 1000 }) });

/** Removes those of the named objects that the caller may remove, and returns their rows. */
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

/** Throws NoSuchKey where the object does not exist or the caller may not remove it. */
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
