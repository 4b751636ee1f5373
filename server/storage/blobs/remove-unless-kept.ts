import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import type { StorageContext } from '../storage-context.ts';

/**
 * Removes the blobs of a row that was not written. Where PostgreSQL did not say itself that it refused the row, it may
 * still be writing it, so that nobody can decide yet; that, and what cannot be removed now, is the sweep's.
 */
export async function removeUnlessKept(
  { blobs }: Pick<StorageContext, 'blobs'>,
  error: unknown,
  keys: readonly string[],
): Promise<void> {
  if (asPostgresError(error) === null || isDatabaseUnavailable(error)) return;
  try {
    for (const key of keys) await blobs.remove(key);
  } catch {
    // Nobody can open a blob without a row.
  }
}
