import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { invalidRequest } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { readJson } from '../wire/read-json.ts';
import { wholeNumber } from '../wire/whole-number.ts';

const text = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.check((value) => value.isWellFormed() && !value.includes('\0')),
);

const bodySchema = v.object({
  prefix: v.optional(text, ''),
  limit: v.optional(wholeNumber(1, 1000), 1000),
  /** Empty for the first page, as some clients send it. */
  cursor: v.optional(text, ''),
  with_delimiter: v.optional(v.boolean(), false),
  sortBy: v.optional(
    v.object({
      column: v.optional(v.picklist(['name', 'updated_at', 'created_at']), 'name'),
      order: v.optional(v.picklist(['asc', 'desc']), 'asc'),
    }),
    {},
  ),
});

interface Entry {
  readonly name: string;
  readonly id: string | null;
  /** The sort value, as text with the same order. */
  readonly mark: string;
}

interface ObjectPage {
  readonly hasNext: boolean;
  readonly nextCursor?: string;
  readonly folders: readonly { readonly name: string; readonly key: string }[];
  readonly objects: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Returns a page of objects whose names begin with a prefix. With `with_delimiter`, deeper objects are represented by
 * their folder.
 */
export async function listObjectsV2(
  { database }: StorageContext,
  caller: Caller,
  bucketId: string,
  request: Request,
): Promise<ObjectPage> {
  const { prefix, limit, cursor, with_delimiter: withFolders, sortBy } = await readJson(request, bodySchema);
  const { column, order } = sortBy;
  const [mark, name] = cursor === '' ? [null, null] : readCursor(cursor);
  // Microseconds, so that no row is skipped between two pages.
  const markOf = column === 'name' ? 'name' : `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  const { rows } = await database.asCaller<Entry>(caller, {
    // The column, the direction and the comparison come from the lists above.
    text: `
      with found as (
        select *, $3 and strpos(substr(name, length($2) + 1), '/') > 0 as deeper
          from storage.objects where bucket_id = $1 and name ^@ $2
      ), entries as (
        select name::text, id, updated_at, created_at, last_accessed_at, metadata, version,
            ${markOf} as mark from found where not deeper
        union all
        -- A folder has no times: by time it stands before or after everything.
        select distinct $2 || split_part(substr(name, length($2) + 1), '/', 1) || '/', null::uuid, null::timestamptz,
            null::timestamptz, null::timestamptz, null::jsonb, null::text,
            ${column === 'name' ? `$2 || split_part(substr(name, length($2) + 1), '/', 1) || '/'` : "''"}
          from found where deeper
      )
      select * from entries
        where $4::text is null or (mark collate "C", name collate "C") ${order === 'asc' ? '>' : '<'} ($4, $5)
        order by mark collate "C" ${order}, name collate "C" ${order}
        limit $6::int + 1`,
    values: [bucketId, prefix, withFolders, mark, name, limit],
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit;
  return {
    hasNext,
    ...(hasNext && last !== undefined && { nextCursor: writeCursor(last) }),
    folders: page.filter(({ id }) => id === null).map((folder) => ({ name: folder.name, key: folder.name })),
    objects: page
      .filter(({ id }) => id !== null)
      .map(({ mark: _mark, ...object }) => ({ ...object, key: object.name })),
  };
}

function writeCursor({ mark, name }: Entry): string {
  return Buffer.from(JSON.stringify([mark, name])).toString('base64url');
}

function readCursor(cursor: string): readonly [mark: string, name: string] {
  try {
    return v.parse(v.tuple([text, text]), JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw invalidRequest('The cursor is none of this service', cause);
  }
}
