import { DatabaseError } from 'pg';

const DUPLICATE_OBJECT = '42710';
const UNIQUE_VIOLATION = '23505';
const DEADLOCK_DETECTED = '40P01';
const LOCK_NOT_AVAILABLE = '55P03';
const INTERNAL_ERROR = 'XX000';

/**
 * Whether a migration failed only because somebody else was at the same thing in the same moment, so that the same
 * file, once more from its start, will pass.
 *
 * Roles, and who is a member of what, belong to the whole cluster, but no lock of ours reaches beyond one database:
 * two databases of a cluster that are migrated at once race there. PostgreSQL's words for a lost race are translated
 * on a server with another `lc_messages`; the name of its C function is not ("tuple concurrently updated" comes from
 * simple_heap_update or simple_heap_delete).
 */
export function isClusterRace(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  switch (error.code) {
    case DUPLICATE_OBJECT:
      return error.routine === 'CreateRole';
    case UNIQUE_VIOLATION:
      return error.schema === 'pg_catalog';
    case INTERNAL_ERROR:
      return error.routine === 'simple_heap_update' || error.routine === 'simple_heap_delete';
    case DEADLOCK_DETECTED:
    case LOCK_NOT_AVAILABLE:
      return true;
    default:
      return false;
  }
}
