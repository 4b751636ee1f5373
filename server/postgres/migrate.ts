import type { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from './address.ts';
import { SETTINGS_NOT_HEEDED } from './check-connections.ts';
import { applyMigration } from './migrations/apply-migration.ts';
import { checkRoles } from './migrations/check-roles.ts';
import { checkServer } from './migrations/check-server.ts';
import { denyTemporaryTables } from './migrations/deny-temporary-tables.ts';
import { holdMigrationLock } from './migrations/hold-migration-lock.ts';
import { migrateJobQueue } from './migrations/migrate-job-queue.ts';
import { MigrationError } from './migrations/migration-error.ts';
import { type AppliedMigration, planMigrations } from './migrations/plan-migrations.ts';
import { readMigrations } from './migrations/read-migrations.ts';
import { NotPrimary } from './primary/not-primary.ts';
import { PrimaryClient } from './primary/primary-client.ts';
import { asPostgresError, PROTOCOL_VIOLATION } from './sqlstate.ts';

export interface MigrateOptions {
  /** A superuser, or an account with CREATEROLE and BYPASSRLS that may create schemas in the database. */
  readonly address: PostgresAddress;
  /** The folder of the `000001_name.sql` files. */
  readonly directory: string;
  readonly log: ServiceLog;
}

/**
 * Migrates the database to the version that this program needs. Returns the names of the files that this call applied.
 *
 * Any number of processes may call it at once, on one or several databases of a cluster. After a killed call the next
 * one continues. Files are only ever added: see docs/decisions/0006-append-only-migrations.md.
 *
 * @throws MigrationError for the operator, with PostgreSQL's error as its cause. The program must then not serve
 * requests.
 */
export async function migrate({ address, directory, log }: MigrateOptions): Promise<string[]> {
  const known = await readMigrations(directory);
  const client = await connect(address);
  try {
    await checkSession(client);
    await checkServer(client);
    return await holdMigrationLock(client, log, async () => {
      await prepareBook(client);
      const { pending, newer } = planMigrations(known, await readBook(client));
      for (const { name } of newer) {
        log.warn(
          { migration: name },
          'The database has a newer, compatible migration that this program does not know.',
        );
      }
      for (const migration of pending) {
        await applyMigration(client, migration, log);
        log.debug({ migration: migration.name }, 'Migration applied.');
      }
      await checkRoles(client);
      await denyTemporaryTables(client, log);
      await migrateJobQueue(address, log);
      return pending.map(({ name }) => name);
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function connect(address: PostgresAddress): Promise<Client> {
  const client = new PrimaryClient({
    ...address,
    application_name: 'reunite migrations',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    options: '-c reunite.session=own',
  });
  // Without a listener, a connection that breaks between two statements would end the process; the next statement fails
  // in any case.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await client.end().catch(() => undefined);
    if (error instanceof NotPrimary) throw new MigrationError(error.message, { cause: error });
    // PgBouncer refuses such a setting, unless it is told to ignore it.
    if (asPostgresError(error)?.code === PROTOCOL_VIOLATION)
      throw new MigrationError(SETTINGS_NOT_HEEDED, { cause: error });
    throw new MigrationError(`PostgreSQL could not be reached: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
  return client;
}

/** Through a pooler that shares sessions, the lock of the migrations would exclude nobody, and outlive its holder. */
async function checkSession(client: Client): Promise<void> {
  const { rows } = await client.query<{ own: boolean | null }>(
    "select current_setting('reunite.session', true) = 'own' as own",
  );
  if (rows[0]?.own !== true) throw new MigrationError(SETTINGS_NOT_HEEDED);
}

/**
 * Creates the migrator's own table. Its columns never change, so that the oldest program can read what the newest has
 * written.
 */
async function prepareBook(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('internal.migrations') is not null as exists",
  );
  if (rows[0]?.exists === true) return;
  // Several statements in one message without BEGIN are one transaction.
  await client.query(`
    create schema if not exists internal;
    create table internal.migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      kind text not null check (kind in ('compatible', 'breaking')),
      applied_at timestamptz not null default now()
    );
    alter table internal.migrations enable row level security;
    alter table internal.migrations force row level security;
  `);
}

async function readBook(client: Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    'select number, name, checksum, kind from internal.migrations order by number',
  );
  return rows;
}
