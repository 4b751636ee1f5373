import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { invalidRequest } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { BUCKET_COLUMNS, type Bucket } from './bucket.ts';

const wholeNumber = v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number));

const querySchema = v.object({
  limit: v.optional(wholeNumber, '1000'),
  offset: v.optional(wholeNumber, '0'),
  sortColumn: v.optional(v.picklist(['id', 'name', 'created_at', 'updated_at']), 'name'),
  sortOrder: v.optional(v.picklist(['asc', 'desc']), 'asc'),
  search: v.optional(v.string(), ''),
});

/** Lists the buckets that the caller may see. */
export async function listBuckets(
  { database }: StorageContext,
  caller: Caller,
  query: Readonly<Record<string, string>>,
): Promise<Bucket[]> {
  const parsed = v.safeParse(querySchema, query);
  if (!parsed.success) throw invalidRequest(`querystring/${v.getDotPath(parsed.issues[0]) ?? ''} is invalid`);
  const { limit, offset, sortColumn, sortOrder, search } = parsed.output;
  const { rows } = await database.asCaller<Bucket>(caller, {
    // The column and the direction come from the lists above.
    text: `select ${BUCKET_COLUMNS} from storage.buckets
             where strpos(lower(name), lower($3)) > 0
             order by ${sortColumn} ${sortOrder}, id limit least($1::int, 1000) offset $2`,
    values: [limit, offset, search],
  });
  return rows;
}
