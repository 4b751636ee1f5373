import type { Dependencies } from '#server/dependencies.ts';
import type { StatementResult } from '#server/postgres/statement.ts';
import { ALL_KEYS, beginningsOf, isKey, type KeyRange } from './blobs/blob-store.ts';
import { removeKeptFiles } from './removed-files.ts';

const HOUR_MS = 3_600_000;
/** Longer than any upload may take, so that an upload in progress is never swept. */
const ARRIVING_MS = HOUR_MS;
/** How many objects or blobs one statement handles, so that each stays well within the statement timeout. */
const BATCH = 500;

/**
 * How large the table of objects may be for one sweep to look at everything: about 180,000 objects. Of a larger one each
 * sweep looks at a 24th, so that the hourly work stays small beside that of callers, and at everything within a day.
 */
const WHOLE_UNTIL_BYTES = 64 * 1_048_576;
const HOURS_OF_A_DAY = 24;

/** Whether an object is a picture that was uploaded over a day ago and is used nowhere. Both buckets are constants. */
const IS_UNUSED = `created_at < now() - interval '1 day' and case bucket_id
  when 'item-photos' then not ${isNamedIn('public.items', 'photo')}
  when 'avatars' then not ${isNamedIn('public.profiles', 'avatar')}
  else false
end`;

/** A scalar subquery makes PostgreSQL look up each object by index instead of joining the whole table. */
function isNamedIn(table: string, column: string): string {
  return `coalesce((select true from ${table} as place where place.${column} = object.name), false)`;
}

type Swept = Pick<Dependencies, 'config' | 'database' | 'files' | 'log' | 'now'>;

/**
 * Removes what is no longer referenced: pictures uploaded over a day ago and used nowhere, files whose rows were
 * deleted long enough ago, blobs that never got a row because their writer crashed, and incomplete uploads.
 *
 * Of a table of objects above `wholeUntilBytes`, it looks only at the 24th of the keys that belongs to this hour (UTC).
 * Each step works in batches. A failing step does not stop the others; its error is thrown at the end.
 */
export async function sweepStorage(
  { config, database, files, log, now }: Swept,
  { wholeUntilBytes = WHOLE_UNTIL_BYTES } = {},
): Promise<void> {
  const range = (await isLarger(database, wholeUntilBytes)) ? keysOfHour(new Date(now()).getUTCHours()) : ALL_KEYS;
  const before = now() - ARRIVING_MS;
  const keptSince = now() - config.storage.keepRemovedHours * HOUR_MS;
  const swept = { pictures: 0, removed: 0, blobs: 0, arriving: 0 };
  const failures: unknown[] = [];
  const steps = [
    async () => {
      swept.pictures = await removeUnusedPictures(database, range);
    },
    async () => {
      swept.removed = await removeKeptFiles({ database, blobs: files.blobs }, keptSince);
    },
    async () => {
      const { removed, failure } = await removeOrphans({ database, files, before, range });
      swept.blobs = removed;
      if (failure !== undefined) throw failure;
    },
    async () => {
      swept.arriving = await files.spool.sweep(before);
    },
  ];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'Unreferenced storage files were removed.');
  if (failures.length > 0) throw failures[0];
}

async function isLarger(database: Swept['database'], bytes: number): Promise<boolean> {
  const { rows } = await database.asService<{ is_larger: boolean }>({
    name: 'size_of_objects',
    text: `select pg_relation_size('storage.objects') > $1 as is_larger`,
    values: [bytes],
  });
  return rows[0]?.is_larger === true;
}

/** Keys are random, so each hour has as many. */
function keysOfHour(hour: number): KeyRange {
  const firstOf = (hour: number) => Math.floor(((ALL_KEYS.last + 1) * hour) / HOURS_OF_A_DAY);
  return { first: firstOf(hour), last: firstOf(hour + 1) - 1 };
}

interface ObjectPage {
  /** The cursor of the next page; null after the last one. */
  readonly last: string | null;
  readonly unused: string[] | null;
}

/** Walks through objects in pages by id. The job queue removes the files of deleted rows, as always. */
async function removeUnusedPictures(database: Swept['database'], range: KeyRange): Promise<number> {
  const beginnings = beginningsOf(range);
  let removed = 0;
  for (let from: string | null = `${beginnings.at(0)}000000-0000-0000-0000-000000000000`; from !== null; ) {
    const { rows }: StatementResult<ObjectPage> = await database.asService<ObjectPage>({
      name: 'unused_pictures',
      // The first object of a page is the last one of the page before.
      text: `with object as materialized (
          select id, bucket_id, name, created_at from storage.objects where id between $1 and $2 order by id limit ${BATCH}
        )
        select case when count(*) = ${BATCH} then (array_agg(id order by id desc))[1] end as last,
          array_agg(id) filter (where ${IS_UNUSED}) as unused
        from object`,
      values: [from, `${beginnings.at(-1)}ffffff-ffff-ffff-ffff-ffffffffffff`],
    });
    const unused = rows[0]?.unused ?? [];
    from = rows[0]?.last ?? null;
    if (unused.length === 0) continue;
    removed += await database.transactAsService(async (transaction) => {
      // Using a picture locks its row. The rows locked here thus cannot be used until the transaction ends, and the
      // second statement sees every use committed before.
      const { rows: locked } = await transaction.query<{ id: string }>({
        name: 'lock_unused_pictures',
        text: 'select id from storage.objects where id = any ($1) for update skip locked',
        values: [unused],
      });
      const { rowCount } = await transaction.query({
        name: 'remove_unused_pictures',
        text: `delete from storage.objects as object where id = any ($1) and ${IS_UNUSED}`,
        values: [locked.map(({ id }) => id)],
      });
      return rowCount ?? 0;
    });
  }
  return removed;
}

/** A blob that cannot be removed does not stop the others. Returns the first failure. */
async function removeOrphans({
  database,
  files: { blobs },
  before,
  range,
}: Pick<Swept, 'database' | 'files'> & { readonly before: number; readonly range: KeyRange }): Promise<{
  removed: number;
  failure?: unknown;
}> {
  let removed = 0;
  let failure: unknown;
  let batch: string[] = [];
  const settle = async () => {
    const { rows } = await database.asService<{ key: string }>({
      name: 'storage_orphans',
      text: `select key from unnest($1::text[]) as key
        where not exists (select from storage.objects where version = key)
          and not exists (select from internal.removed_files where file = key)
          and not exists (select from storage.objects where renditions @> jsonb_build_array(jsonb_build_object('version', key)))`,
      values: [batch],
    });
    for (const { key } of rows) {
      try {
        await blobs.remove(key);
        removed += 1;
      } catch (error) {
        failure ??= error;
      }
    }
    batch = [];
  };
  for await (const { key, storedAt } of blobs.list(range)) {
    // The folder may contain files that are not blobs.
    if (storedAt >= before || !isKey(key)) continue;
    batch.push(key);
    if (batch.length === BATCH) await settle();
  }
  if (batch.length > 0) await settle();
  return { removed, failure };
}
