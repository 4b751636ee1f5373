import type { Database } from '#server/postgres/database.ts';
import type { BlobStore } from './blobs/blob-store.ts';

const BATCH = 500;

/** Deletes the records of removed files once the files are gone. */
export async function purgeRemovedFiles(
  database: Pick<Database, 'asService'>,
  files: readonly string[],
): Promise<void> {
  await database.asService({
    name: 'forget_removed_files',
    text: 'delete from internal.removed_files where file = any ($1)',
    values: [files],
  });
}

/**
 * Removes files whose rows were deleted before `before`, in milliseconds since the epoch. Returns their number. A file
 * that cannot be removed does not stop the others and is retried at the next call.
 *
 * @throws the first failure, after all files have been tried.
 */
export async function removeKeptFiles(
  { database, blobs }: { readonly database: Pick<Database, 'asService'>; readonly blobs: BlobStore },
  before: number,
): Promise<number> {
  const failed = new Map<string, unknown>();
  for (let removed = 0; ; ) {
    const { rows } = await database.asService<{ file: string }>({
      name: 'files_kept_long_enough',
      text: `select file from internal.removed_files
        where removed_at < to_timestamp($1 / 1000.0) and file <> all ($2) order by removed_at limit ${BATCH}`,
      values: [before, [...failed.keys()]],
    });
    const gone: string[] = [];
    for (const { file } of rows) {
      try {
        await blobs.remove(file);
        gone.push(file);
      } catch (error) {
        failed.set(file, error);
      }
    }
    await purgeRemovedFiles(database, gone);
    removed += gone.length;
    // An unreachable store refuses a whole batch, so the loop ends.
    if (rows.length < BATCH || gone.length === 0) {
      const [failure] = failed.values();
      if (failure !== undefined) throw failure;
      return removed;
    }
  }
}
