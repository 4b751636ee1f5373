import type { PostgresAddress } from '#server/postgres/address.ts';

/** The PostgreSQL servers that the database suites run on: the one we ship, and the oldest one we promise. */
export type Engine = 'embedded' | 'debian-15';

/** A server for one test run, with its own data folder. */
export interface TestCluster {
  /** As a superuser, to a database that is empty. */
  readonly address: PostgresAddress;
  /** Ends it and deletes its data. */
  stop(): Promise<void>;
}

/** A throw-away server may lose everything in a crash, so it never waits for a disk. */
export const THROW_AWAY_SETTINGS: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  max_connections: '400',
  shared_buffers: '64MB',
  max_wal_size: '512MB',
};
