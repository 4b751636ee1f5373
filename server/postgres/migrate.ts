import type { Client } from 'pg';
import type { ServiceLog } from '#server/log/log.ts';
import { RELEASE } from '#server/project-root.ts';
import type { PostgresAddress } from './address.ts';
import { queueKeptJobs } from './backup/pending-jobs.ts';
import { SETTINGS_NOT_HEEDED } from './check-connections.ts';
import { isLater, readLatestRelease } from './migrations/apply-functions.ts';
import { applySchema, type SchemaChange } from './migrations/apply-schema.ts';
import { readBook } from './migrations/book.ts';
import { checkRoles } from './migrations/check-roles.ts';
import { checkServer } from './migrations/check-server.ts';
import { denyTemporaryTables } from './migrations/deny-temporary-tables.ts';
import { holdMigrationLock } from './migrations/hold-migration-lock.ts';
import { migrateJobQueue } from './migrations/migrate-job-queue.ts';
import { MigrationError } from './migrations/migration-error.ts';
import { planMigrations } from './migrations/plan-migrations.ts';
import { readSchema, type Schema } from './migrations/read-schema.ts';
import { requireEmpty } from './migrations/require-empty.ts';
import { NotPrimary, PrimaryClient } from './primary-client.ts';
import { asPostgresError, PROTOCOL_VIOLATION } from './sqlstate.ts';

export interface MigrateOptions {
  /** A superuser, or an account with CREATEROLE and BYPASSRLS that may create schemas in the database. */
  readonly address: PostgresAddress;
  /** The folder with `schemas.sql`, `functions/`, `tables/`, and `migrations/`. */
  readonly directory: string;
  readonly log: ServiceLog;
  /** This program's release. A database keeps the functions of a later one. */
  readonly release?: string;
  /** Fills the tables of an empty database, in the transaction that creates them. A database with anything in it is refused. */
  readonly fill?: (client: Client) => Promise<void>;
}

/**
 * Brings the database to the state that this program needs: an empty one gets the functions and tables, an existing one
 * the functions that changed and the migrations that it lacks (docs/decisions/0006-migrations-of-tables.md). Returns the
 * names of the migrations that this call applied or, in an empty database, recorded.
 *
 * Any number of processes may call it at once, on one or several databases of a cluster. A killed call leaves nothing.
 *
 * @throws MigrationError for the operator, with PostgreSQL's error as its cause. The program must then not serve
 * requests.
 */
export async function migrate({ address, directory, log, release = RELEASE, fill }: MigrateOptions): Promise<string[]> {
  const schema = await readSchema(directory);
  const client = await connect(address);
  try {
    await checkSession(client);
    await checkServer(client);
    return await holdMigrationLock(client, log, async () => {
      if (fill !== undefined) await requireEmpty(client);
      await prepareBook(client);
      const change = await planChange(client, schema, release, log);
      await applySchema(client, schema, { ...change, fill }, log);
      for (const { name } of change.migrations) log.debug({ migration: name }, 'Migration applied.');
      await checkRoles(client);
      await denyTemporaryTables(client, log);
      await migrateJobQueue(address, log);
      await queueKeptJobs(client);
      return change.migrations.map(({ name }) => name);
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function planChange(
  client: Client,
  schema: Schema,
  release: string,
  log: Pick<ServiceLog, 'warn'>,
): Promise<Omit<SchemaChange, 'fill'>> {
  const applied = await readBook(client);
  const functions = { release, files: schema.functions };
  if (applied.length === 0) return { isEmpty: true, migrations: schema.migrations, functions };
  const { pending, newer } = planMigrations(schema.migrations, applied);
  for (const { name } of newer) {
    log.warn({ migration: name }, 'The database has a newer, compatible migration that this program does not know.');
  }
  const theirs = await readLatestRelease(client);
  if (isLater(theirs, release)) {
    log.warn({ release, theirs }, 'The database keeps the functions of a later release than this one.');
  } else if (newer.length === 0) {
    return { isEmpty: false, migrations: pending, functions };
  }
  return { isEmpty: false, migrations: pending, functions: null };
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
 * Creates the migrator's own tables. Their columns never change, so that the oldest program can read what the newest has
 * written.
 */
async function prepareBook(client: Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regclass('internal.functions') is not null as exists",
  );
  if (rows[0]?.exists === true) return;
  // Several statements in one message without BEGIN are one transaction.
  await client.query(`
    create schema if not exists internal;
    create table if not exists internal.migrations (
      number integer primary key,
      name text not null,
      checksum text not null,
      kind text not null check (kind in ('compatible', 'breaking')),
      applied_at timestamptz not null default now()
    );
    create table internal.functions (
      name text primary key,
      checksum text not null,
      release text not null
    );
    alter table internal.migrations enable row level security;
    alter table internal.migrations force row level security;
    alter table internal.functions enable row level security;
    alter table internal.functions force row level security;
  `);
}
