import { DatabaseError } from 'pg';
import { DEADLOCK_DETECTED } from '../sqlstate.ts';

const DUPLICATE_OBJECT = '42710';
const UNIQUE_VIOLATION = '23505';
const LOCK_NOT_AVAILABLE = '55P03';
const INTERNAL_ERROR = 'XX000';

/**
 * Whether a migration failed only because of a concurrent one in the same cluster, so that running the file again will
 * succeed.
 *
 * Roles and memberships belong to the whole cluster, but our lock covers one database, so migrations of two databases
 * can race. PostgreSQL translates its messages by `lc_messages`, but not the names of its C functions ("tuple
 * concurrently updated" is raised in simple_heap_update and simple_heap_delete).
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
