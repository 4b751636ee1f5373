import type { ClientConfig } from 'pg';

/** Where a PostgreSQL server is and who we are there: parts, or one connection string. */
export type PostgresAddress = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;
