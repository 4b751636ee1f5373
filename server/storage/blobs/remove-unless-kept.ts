import type { StorageContext } from '../storage-context.ts';

/**
 * Removes the blobs of a row that was not written. A commit whose answer was lost did write it, so the database is asked
 * first; what cannot be decided or removed now is the sweep's.
 */
export async function removeUnlessKept(
  { database, blobs }: Pick<StorageContext, 'database' | 'blobs'>,
  version: string,
  others: readonly string[],
): Promise<void> {
  try {
    const { rows } = await database.asService({
      name: 'storage_version_is_kept',
      text: 'select 1 from storage.objects where version = $1',
      values: [version],
    });
    if (rows.length > 0) return;
    for (const key of [version, ...others]) await blobs.remove(key);
  } catch {
    // Nobody can open a blob without a row.
  }
}
