import type { Dependencies } from '#server/dependencies.ts';

const HOUR_MS = 3_600_000;
/** Longer than any upload may take, so that none on its way is taken for one that was given up. */
const ARRIVING_MS = HOUR_MS;
const BATCH = 500;

type Swept = Pick<Dependencies, 'database' | 'files' | 'log' | 'now'>;

/**
 * Finds what nobody refers to any more and removes it: pictures that were put up a day ago and are shown nowhere; blobs
 * without a row, whose writer died before it wrote one; files that stopped arriving.
 */
export async function sweepStorage({ database, files, log, now }: Swept): Promise<void> {
  const before = now() - ARRIVING_MS;
  const pictures = await removeUnusedPictures(database);
  const blobs = await removeOrphans({ database, files, before });
  const arriving = await files.spool.sweep(before);
  if (pictures + blobs + arriving > 0) log.info({ pictures, blobs, arriving }, 'Storage was swept.');
}

/** Their blobs follow through the job queue, as whenever a row goes. */
async function removeUnusedPictures(database: Swept['database']): Promise<number> {
  const { rowCount } = await database.asService({
    text: `delete from storage.objects as object
      where created_at < now() - interval '1 day' and (
        bucket_id = 'item-photos' and not exists (select from public.items where photo = object.name)
        or bucket_id = 'avatars' and not exists (select from public.profiles where avatar = object.name)
      )`,
  });
  return rowCount ?? 0;
}

async function removeOrphans({
  database,
  files: { blobs },
  before,
}: Pick<Swept, 'database' | 'files'> & { readonly before: number }): Promise<number> {
  let removed = 0;
  let batch: string[] = [];
  const settle = async () => {
    const { rows } = await database.asService<{ key: string }>({
      name: 'storage_orphans',
      text: `select key from unnest($1::text[]) as key
        where not exists (select from storage.objects where version = key)
          and not exists (select from storage.objects where renditions @> jsonb_build_array(jsonb_build_object('version', key)))`,
      values: [batch],
    });
    for (const { key } of rows) await blobs.remove(key);
    removed += rows.length;
    batch = [];
  };
  for await (const { key, storedAt } of blobs.list()) {
    if (storedAt >= before) continue;
    batch.push(key);
    if (batch.length === BATCH) await settle();
  }
  if (batch.length > 0) await settle();
  return removed;
}
