import { DiskReserved } from '#server/data-folder/disk-reserve.ts';
import { ShareUsedUp } from '#server/limits/fair-queue.ts';
import { noteRefusal } from '#server/limits/refused-by.ts';
import { isDatabaseUnavailable } from '#server/postgres/is-database-unavailable.ts';
import { asPostgresError } from '#server/postgres/sqlstate.ts';
import { BlobStoreUnavailable } from './blobs/blob-store.ts';
import {
  accessDenied,
  alreadyExists,
  databaseTimeout,
  diskFull,
  invalidRequest,
  noRoomLeft,
  noSuchBucket,
  tooManyAtOnce,
  unavailable,
  unexpected,
} from './errors.ts';
import { StorageError } from './storage-error.ts';

/** Converts any failure to an error response. Messages of PostgreSQL are never included. */
export function explainFailure(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  if (error instanceof ShareUsedUp) {
    noteRefusal({ name: 'calls_at_once' });
    return tooManyAtOnce(error);
  }
  if (error instanceof DiskReserved) return diskFull(error);
  if (error instanceof BlobStoreUnavailable) return unavailable(error);
  const said = asPostgresError(error);
  if (said === null) return isDatabaseUnavailable(error) ? unavailable(error) : unexpected(error);
  switch (said.code) {
    case '42501':
      return accessDenied(
        said.message.startsWith('new row violates') ? 'new row violates row-level security policy' : undefined,
        error,
      );
    case '23505':
      return alreadyExists('ResourceAlreadyExists', error);
    case '23503':
      return noSuchBucket(error);
    case '23514':
    case '22P05':
    case '22021':
      return invalidRequest('A value is not allowed here', error);
    case 'PT413':
      return noRoomLeft(error);
    case '57014':
      return databaseTimeout(error);
    default:
      return isDatabaseUnavailable(error) ? unavailable(error) : unexpected(error);
  }
}
