import type { Database } from '#server/postgres/database.ts';

/** Returns the database with connections of visitors counted by network address. */
export function visitedFrom(database: Database, address: string): Database {
  return {
    ...database,
    asCaller: (caller, statement, options) =>
      database.asCaller(caller, statement, caller.role === 'anon' ? { holder: address, ...options } : options),
    transactAsCaller: (caller, work, options) =>
      database.transactAsCaller(caller, work, caller.role === 'anon' ? { holder: address, ...options } : options),
  };
}
