import type { Dependencies } from '#server/dependencies.ts';
import type { StatementResult } from '#server/postgres/statement.ts';
import { isKey } from './blobs/blob-store.ts';
import { removeKeptFiles } from './removed-files.ts';

const HOUR_MS = 3_600_000;
/** Longer than any upload may take, so that none on its way is taken for one that was given up. */
const ARRIVING_MS = HOUR_MS;
/** Objects or blobs that one statement looks at, so that each ends long before the time limit however many there are. */
const BATCH = 500;

/** Where a bucket's pictures are shown. */
const SHOWN_IN = [
  { bucket: 'item-photos', table: 'public.items', column: 'photo' },
  { bucket: 'avatars', table: 'public.profiles', column: 'avatar' },
] as const;

type Swept = Pick<Dependencies, 'config' | 'database' | 'files' | 'log' | 'now'>;

/**
 * Finds what nothing refers to any more and removes it: pictures that were uploaded a day ago and are shown nowhere; files
 * whose row went long enough ago; blobs that never had a row, whose writer died before it wrote one; files that stopped
 * arriving. Each works in batches, and one that
 * fails keeps none of the others from its turn; its error is thrown last.
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
  if (Object.values(swept).some((count) => count > 0)) log.info(swept, 'Storage was swept.');
  if (failures.length > 0) throw failures[0];
}

interface NamePage {
  /** Where the next page begins; null after the last one. */
  readonly last: string | null;
  readonly unused: string[] | null;
}

/** Walks through one bucket by name. The blobs follow through the job queue, as whenever a row goes. */
async function removeUnusedPictures(
  database: Swept['database'],
  { bucket, table, column }: (typeof SHOWN_IN)[number],
): Promise<number> {
  // Table and column are constants of this file. As a scalar the place is looked up by its index for each object, and
  // never joined whole.
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
      // Showing a picture locks its row. What is locked here can be shown by nobody until the end, and the second
      // statement sees what was shown until then.
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

/** A blob that cannot be removed keeps no other one from its turn; the first such failure is handed back. */
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
    // Other files in the folder are none of the service's.
    if (storedAt >= before || !isKey(key)) continue;
    batch.push(key);
    if (batch.length === BATCH) await settle();
  }
  if (batch.length > 0) await settle();
  return { removed, failure };
}
