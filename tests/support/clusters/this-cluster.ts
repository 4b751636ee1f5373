import { inject } from 'vitest';
import type { PostgresAddress } from '#server/postgres/address.ts';
import type { Engine } from './cluster.ts';

/** The server of this test run: which kind it is, and where. */
export interface ProvidedCluster {
  readonly engine: Engine;
  readonly address: PostgresAddress;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Missing where no PostgreSQL of the project's version is on this machine. */
    cluster: ProvidedCluster | undefined;
    /** PgBouncer before the cluster, where a test's server is several servers: the project `several-servers`. */
    pooler: PostgresAddress | undefined;
  }
}

/** The server that the project's files share. */
export function thisCluster(): ProvidedCluster {
  const cluster = inject('cluster');
  if (cluster === undefined) {
    throw new Error(
      'This file needs a database: it belongs to the projects postgres-18, postgres-15, and several-servers.',
    );
  }
  return cluster;
}
