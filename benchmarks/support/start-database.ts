import { chmod, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pino from 'pino';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';
import { migrate } from '#server/postgres/migrate.ts';

export interface BenchmarkDatabase {
  readonly address: PostgresAddress & { readonly host: string; readonly port: number };
  /** For the servers' output, which is discarded. */
  readonly folder: string;
  stop(): Promise<void>;
}

export interface BenchmarkDatabaseOptions {
  /** A folder that stays when the database is stopped; by default a new one that is removed. */
  readonly kept?: string | undefined;
  /** Settings of PostgreSQL in addition to those of the product. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts the bundled PostgreSQL as in production, with full durability, in its own folder. */
export async function startDatabase({
  kept,
  settings = {},
}: BenchmarkDatabaseOptions = {}): Promise<BenchmarkDatabase> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'reunite-benchmark-')));
  await mkdir(folder, { recursive: true });
  // As root the engine runs as another account, which must be able to reach its data.
  await chmod(folder, 0o711);
  const log = pino({ level: 'error' });
  const engine = await startEmbeddedPostgres({ dataDirectory: join(folder, 'data'), log, settings });
  const directory = resolve(import.meta.dirname, '../../database');
  await migrate({ address: engine.address, directory, log });
  return {
    address: engine.address,
    folder,
    async stop() {
      await engine.stop();
      await printWarnings(folder);
      if (kept === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Prints the servers' warnings and errors, so that a failed run shows its reason, and removes their logs. */
async function printWarnings(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => one.endsWith('.log') && one !== 'data.log')) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    const warnings = lines.filter((line) => /^\{"level":[456]0,/.test(line));
    if (warnings.length > 0) console.log(`${name}: ${warnings.length} warnings, the first is:\n${warnings[0]}`);
    await rm(join(folder, name));
  }
}

/** Returns the address as a connection string; a folder of a Unix socket becomes a parameter. */
export function connectionString({ host, port, user, password, database }: BenchmarkDatabase['address']): string {
  const account = `${encodeURIComponent(user ?? '')}:${encodeURIComponent(String(password ?? ''))}`;
  return `postgres://${account}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}
