import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import type { ServiceLog } from '#server/log/log.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { SETTINGS } from '#server/postgres/embedded/settings.ts';
import { startEmbeddedPostgres } from '#server/postgres/embedded/start-embedded-postgres.ts';

/** A database that accepts connections and has the current schema. */
export interface PreparedDatabase {
  readonly address: PostgresAddress;
  /** Stops the embedded database; otherwise does nothing. */
  stop(): Promise<void>;
}

export interface PrepareOptions {
  readonly config: Config;
  readonly log: ServiceLog;
  /** The folder that contains `database/`. */
  readonly root: string;
  /** A running database in place of the configured one. */
  readonly address?: PostgresAddress;
  /** Called when only PostgreSQL's start remains to be awaited. */
  readonly onLaunch?: () => void;
}

/**
 * Starts the embedded PostgreSQL where configured, and migrates. It loads little of the program, so that the rest can
 * be loaded in the meantime. What was started is stopped if a later step fails.
 */
export async function prepareDatabase(options: PrepareOptions): Promise<PreparedDatabase> {
  const { log, root } = options;
  const started =
    options.address === undefined ? await startDatabase(options) : { address: options.address, stop: stopNothing };
  try {
    // Loaded only once PostgreSQL is running.
    const { migrate } = await import('#server/postgres/migrate.ts');
    await migrate({ address: started.address, directory: join(root, 'database'), log });
    return started;
  } catch (error) {
    await started
      .stop()
      .catch((stopError: unknown) => log.error({ err: stopError }, 'Cleaning up after a failed start failed.'));
    throw error;
  }
}

/** Connections of the embedded database for migrations, tools, and an operator. */
const OTHER_CONNECTIONS = 12;

/** Starts the embedded PostgreSQL where configured. */
export async function startDatabase({
  config,
  log,
  onLaunch,
}: Pick<PrepareOptions, 'config' | 'log' | 'onLaunch'>): Promise<PreparedDatabase> {
  if (config.database.kind === 'url') {
    onLaunch?.();
    return { address: { connectionString: config.database.url }, stop: stopNothing };
  }
  return startEmbeddedPostgres({
    dataDirectory: join(config.dataDirectory, 'postgres'),
    log,
    sharedBuffers: config.database.sharedBuffers,
    // While one of several processes is replaced, there is one more.
    settings: {
      max_connections: String(
        Math.max(
          Number(SETTINGS.max_connections),
          (config.webProcesses + 1) * config.databaseConnections + OTHER_CONNECTIONS,
        ),
      ),
    },
    ...(onLaunch !== undefined && { onLaunch }),
  });
}

async function stopNothing(): Promise<void> {}
