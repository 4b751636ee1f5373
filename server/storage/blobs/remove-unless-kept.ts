import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import type { StorageContext } from '../storage-context.ts';
import { BlobStoreUnavailable } from './blob-store.ts';

/**
 * Removes the blobs of a row that was not written: it was never asked for, since the place for blobs failed, or
 * PostgreSQL said itself that it refused it. Else it may still be writing it, so that nobody can decide yet; that, and
 * what cannot be removed now, is the sweep's.
 */
export async function removeUnlessKept(
  { blobs }: Pick<StorageContext, 'blobs'>,
  error: unknown,
  keys: readonly string[],
): Promise<void> {
  const isDecided =
    error instanceof BlobStoreUnavailable || (asPostgresError(error) !== null && !isDatabaseUnavailable(error));
  if (!isDecided) return;
  try {
    for (const key of keys) await blobs.remove(key);
  } catch {
    // Nobody can open a blob without a row.
  }
}
