import * as v from 'valibot';
import type { Caller } from '#server/postgres/caller.ts';
import { invalidContinuation } from '../errors.ts';
import type { StorageContext } from '../storage-context.ts';
import { flag } from '../wire/flag.ts';
import { readJson } from '../wire/read-json.ts';
import { wholeNumber } from '../wire/whole-number.ts';

const text = v.pipe(
  v.string(),
  v.maxLength(4096),
  v.check((value) => value.isWellFormed() && !value.includes('\0')),
);

/** The most entries of a page. A larger limit means this one. */
const MOST_ENTRIES = 1_000;

const column = v.picklist(['name', 'updated_at', 'created_at']);
const order = v.picklist(['asc', 'desc']);

const bodySchema = v.object({
  prefix: v.optional(text, ''),
  limit: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER), MOST_ENTRIES),
  /** Empty for the first page, as some clients send it. */
  cursor: v.optional(text, ''),
  with_delimiter: v.optional(flag, false),
  sortBy: v.optional(v.object({ column: v.optional(column, 'name'), order: v.optional(order, 'asc') }), {}),
});

/** Where the next page begins. It keeps the order, so that a client need not send it again. */
const cursorSchema = v.object({ column, order, mark: text, name: text });
type Cursor = v.InferOutput<typeof cursorSchema>;

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
 * their folder, whose name ends in a slash, and a `key` is the part of the name at this level. By time, a folder is as
 * old as its oldest object.
 */
export async function listObjectsV2(
  { database }: StorageContext,
  caller: Caller,
  bucketId: string,
  request: Request,
): Promise<ObjectPage> {
  const body = await readJson(request, bodySchema);
  const { prefix, with_delimiter: withFolders } = body;
  const limit = Math.min(body.limit, MOST_ENTRIES);
  const after = body.cursor === '' ? null : readCursor(body.cursor);
  const { column, order } = after ?? body.sortBy;
  // Microseconds, so that no row is skipped between two pages.
  const timeMark = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
  const { rows } = await database.asCaller<Entry>(caller, {
    // The column, the direction and the comparison come from the lists above.
    text: `
      with found as (
        select *, case when $3 and strpos(substr(name, length($2) + 1), '/') > 0
            then $2 || split_part(substr(name, length($2) + 1), '/', 1) || '/' end as folder
          from storage.objects where bucket_id = $1 and name ^@ $2
      ), entries as (
        select name::text, id, updated_at, created_at, last_accessed_at, metadata, version,
            ${column === 'name' ? 'name' : timeMark(column)} as mark from found where folder is null
        union all
        select folder, null::uuid, null::timestamptz, null::timestamptz, null::timestamptz, null::jsonb, null::text,
            ${column === 'name' ? 'folder' : timeMark('min(created_at)')}
          from found where folder is not null group by folder
      )
      select * from entries
        where $4::text is null or (mark collate "C", name collate "C") ${order === 'asc' ? '>' : '<'} ($4, $5)
        order by mark collate "C" ${order}, name collate "C" ${order}
        limit $6::int + 1`,
    values: [bucketId, prefix, withFolders, after?.mark ?? null, after?.name ?? null, limit],
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const hasNext = rows.length > limit;
  const level = prefix.split('/').length - 1;
  const keyOf = (name: string) => name.split('/')[level] ?? '';
  return {
    hasNext,
    ...(hasNext && last !== undefined && { nextCursor: writeCursor({ column, order, ...last }) }),
    folders: page.filter(({ id }) => id === null).map(({ name }) => ({ name, key: keyOf(name) })),
    objects: page
      .filter(({ id }) => id !== null)
      .map(({ mark: _mark, ...object }) => (withFolders ? { ...object, key: keyOf(object.name) } : object)),
  };
}

function writeCursor({ column, order, mark, name }: Cursor): string {
  return Buffer.from(JSON.stringify({ column, order, mark, name })).toString('base64url');
}

function readCursor(cursor: string): Cursor {
  try {
    return v.parse(cursorSchema, JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
  } catch (cause) {
    throw invalidContinuation(cause);
  }
}
