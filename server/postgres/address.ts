import type { ClientConfig } from 'pg';

/** The address and credentials of a PostgreSQL server: separate fields or one connection string. */
export type PostgresAddress = Pick<
  ClientConfig,
  'connectionString' | 'host' | 'port' | 'user' | 'password' | 'database'
>;
