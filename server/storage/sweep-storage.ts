import type { Dependencies } from '#server/dependencies.ts';
import type { StatementResult } from '#server/postgres/statement.ts';
import { isKey } from './blobs/blob-store.ts';
import { removeKeptFiles } from './removed-files.ts';

const HOUR_MS = 3_600_000;
/** Longer than any upload may take, so that an upload in progress is never swept. */
const ARRIVING_MS = HOUR_MS;
/** How many objects or blobs one statement handles, so that each stays well within the statement timeout. */
const BATCH = 500;

/** Where a bucket's pictures are referenced. */
const SHOWN_IN = [
  { bucket: 'item-photos', table: 'public.items', column: 'photo' },
  { bucket: 'avatars', table: 'public.profiles', column: 'avatar' },
] as const;

type Swept = Pick<Dependencies, 'config' | 'database' | 'files' | 'log' | 'now'>;

/**
 * Removes what is no longer referenced: pictures uploaded over a day ago and used nowhere, files whose rows were
 * deleted long enough ago, blobs that never got a row because their writer crashed, and incomplete uploads.
 *
 * Each step works in batches. A failing step does not stop the others; its error is thrown at the end.
 */
export async function sweepStorage({ config, database, files, log, now }: Swept): Promise<void> {
  const before = now() - ARRIVING_MS;
  const keptSince = now() - config.storage.keepRemovedHours * HOUR_MS;
  const swept = { pictures: 0, removed: 0, blobs: 0, arriving: 0 };
  const failures: unknown[] = [];
  const steps = [
    ...SHOWN_IN.map((place) => async () => {
      swept.pictures += await removeUnusedPictures(database, place);
    }),
    async () => {
      swept.removed = await removeKeptFiles({ database, blobs: files.blobs }, keptSince);
    },
    async () => {
      const { removed, failure } = await removeOrphans({ database, files, before });
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

interface NamePage {
  /** The cursor of the next page; null after the last one. */
  readonly last: string | null;
  readonly unused: string[] | null;
}

/** Walks through a bucket in pages by name. The job queue removes the files of deleted rows, as always. */
async function removeUnusedPictures(
  database: Swept['database'],
  { bucket, table, column }: (typeof SHOWN_IN)[number],
): Promise<number> {
  // Table and column are constants of this file. A scalar subquery makes PostgreSQL look up each object by index
  // instead of joining the whole table.
  const isShown = `coalesce((select true from ${table} as place where place.${column} = object.name), false)`;
  let removed = 0;
  for (let after: string | null = ''; after !== null; ) {
    const { rows }: StatementResult<NamePage> = await database.asService<NamePage>({
      name: `unused_pictures_of_${bucket}`,
      text: `with object as materialized (
          select id, name, created_at from storage.objects where bucket_id = $1 and name > $2 order by name limit ${BATCH}
        )
        select case when count(*) = ${BATCH} then max(name) end as last,
          array_agg(id) filter (where created_at < now() - interval '1 day' and not ${isShown}) as unused
        from object`,
      values: [bucket, after],
    });
    const unused = rows[0]?.unused ?? [];
    after = rows[0]?.last ?? null;
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
        name: `remove_unused_pictures_of_${bucket}`,
        text: `delete from storage.objects as object where id = any ($1) and not ${isShown}`,
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
}: Pick<Swept, 'database' | 'files'> & { readonly before: number }): Promise<{ removed: number; failure?: unknown }> {
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
  for await (const { key, storedAt } of blobs.list()) {
    // The folder may contain files that are not blobs.
    if (storedAt >= before || !isKey(key)) continue;
    batch.push(key);
    if (batch.length === BATCH) await settle();
  }
  if (batch.length > 0) await settle();
  return { removed, failure };
}
