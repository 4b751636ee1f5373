import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/postgres/migrate.ts';

export interface BenchmarkDatabase {
  readonly address: PostgresAddress & { readonly host: string; readonly port: number };
  /** For what the servers write: nothing of it is kept. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** The PostgreSQL that we ship, as it runs in production (nothing about durability is turned off), in a folder of its own. */
export async function startDatabase(): Promise<BenchmarkDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'reunite-benchmark-'));
  // As root the engine runs as another account, which must be able to reach its data.
  await chmod(folder, 0o711);
  const log = pino({ level: 'error' });
  const engine = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), log });
  const directory = resolve(import.meta.dirname, '../../database/migrations');
  await migrate({ address: engine.address, directory, log });
  return {
    address: engine.address,
    folder,
    async stop() {
      await engine.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The same address as one connection string; a folder of a Unix socket goes in as a parameter. */
export function connectionString({ host, port, user, password, database }: BenchmarkDatabase['address']): string {
  const account = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(String(password ?? ''))}`;
  return `postgres://${account}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
