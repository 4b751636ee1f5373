import { DiskReserved } from '#server/data-folder/disk-reserve.ts';
import { isDatabaseUnavailable, isStatementTimedOut } from '#server/postgres/is-database-unavailable.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import type { StorageContext } from '../storage-context.ts';
import { BlobStoreUnavailable } from './blob-store.ts';

/**
 * Removes the blobs of a row that was certainly not written: the blob store failed or was full before the row, or PostgreSQL
 * refused it. After any other failure the transaction may still commit, so the sweep decides later. The sweep also
 * retries failed removals.
 */
export async function removeUnlessKept(
  { blobs }: Pick<StorageContext, 'blobs'>,
  error: unknown,
  keys: readonly string[],
): Promise<void> {
  const isDecided =
    error instanceof BlobStoreUnavailable ||
    error instanceof DiskReserved ||
    isStatementTimedOut(error) ||
    (asPostgresError(error) !== null && !isDatabaseUnavailable(error));
  if (!isDecided) return;
  try {
    for (const key of keys) await blobs.remove(key);
  } catch {
    // A blob without a row cannot be opened; the sweep removes it.
  }
}
