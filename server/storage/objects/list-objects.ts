import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import type { StorageContext } from '../storage-context.ts';
import { readJson } from '../wire/read-json.ts';
import { wholeNumber } from '../wire/whole-number.ts';

const text = v.pipe(
  v.string(),
  v.maxLength(1024),
  v.check((value) => value.isWellFormed() && !value.includes('\0')),
);

const bodySchema = v.object({
  prefix: text,
  /** At most 1,000 are returned. */
  limit: v.optional(wholeNumber(0, Number.MAX_SAFE_INTEGER), 100),
  offset: v.optional(wholeNumber(0, 1_000_000), 0),
  search: v.optional(text, ''),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(['name', 'updated_at', 'created_at', 'last_accessed_at']), 'name'),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    {},
  ),
});

interface ListedEntry {
  readonly name: string;
  readonly id: string | null;
}

/** Lists the content of a folder: the objects that the caller may see, and each subfolder once, with only its name. */
export async function listObjects(
  { database }: StorageContext,
  caller: Caller,
  bucketId: string,
  request: Request,
): Promise<ListedEntry[]> {
  const { prefix, limit, offset, search, sortBy } = await readJson(request, bodySchema);
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const { column, order } = sortBy;
  const { rows } = await database.asCaller<ListedEntry>(caller, {
    // The column and the direction come from the lists above. Names sort bytewise, folders among them.
    text: `
      with inside as (
        select substr(name, length($2) + 1) as rest, id, updated_at, created_at, last_accessed_at, metadata
          from storage.objects where bucket_id = $1 and name ^@ $2
      ), entries as (
        select rest as name, id, updated_at, created_at, last_accessed_at, metadata
          from inside where strpos(rest, '/') = 0
        union all
        select distinct split_part(rest, '/', 1), null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb
          from inside where strpos(rest, '/') > 0
      )
      select * from entries where lower(name) ^@ lower($3)
        order by ${column}${column === 'name' ? ' collate "C"' : ''} ${order} nulls last, name collate "C"
        limit least($4::bigint, 1000) offset $5`,
    values: [bucketId, folder, search, limit, offset],
  });
  return rows;
}
