import type { ServiceLog } from '#server/log/log.ts';
import { type UndoStep, undoAll } from '#server/undo-all.ts';
import { checkData, endedInOrder } from './check/check-data.ts';
import { chooseAccount } from './choose-account.ts';
import { chooseListeningPlace } from './choose-listening-place.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { createDatabase } from './create-database.ts';
import { initializeData } from './initialize-data.ts';
import { keepRunning } from './keep-running.ts';
import { lockData } from './lock/lock-data.ts';
import { placeData } from './place-data.ts';
import { placePrograms } from './place-programs.ts';
import { PostgresLog } from './postgres-log.ts';
import { runPostmaster } from './run-postmaster.ts';
import { SETTINGS, sharedBuffersFor } from './settings.ts';
import { readPassword, SUPERUSER } from './superuser-password.ts';

export interface EmbeddedPostgres {
  readonly address: { host: string; port: number; user: string; password: string; database: string };
  /**
   * Shuts PostgreSQL down: running statements are rolled back, everything committed is on disk. Further calls have no
   * effect.
   */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /**
   * Created at the first start. For root it may become a symbolic link to a place that an unprivileged account can
   * reach. PostgreSQL's log is the file beside it that ends in `.log`.
   */
  readonly dataDirectory: string;
  readonly log: ServiceLog;
  /** In MiB; derived from the machine's memory by default. */
  readonly sharedBuffers?: number | undefined;
  /** Settings in addition to the durable defaults. The throwaway clusters of tests turn durability off here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long a server in another container may take to leave the data, in milliseconds; 10 s by default. */
  readonly waitMs?: number;
  /** Called when its process runs and only its readiness is awaited. */
  readonly onLaunch?: () => void;
}

export const DATABASE = 'reunite';

/**
 * Starts the bundled PostgreSQL on its own data folder, accessible only from this machine, with a generated password.
 *
 * It recovers after the server was killed, is restarted when it ends by itself, and ends with this process. Throws an
 * OperatorError with instructions where another server uses the same data.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDirectory, log, sharedBuffers = sharedBuffersFor(), settings = {}, waitMs, onLaunch } = options;
  const account = await chooseAccount(dataDirectory);
  const [programs, data] = await Promise.all([placePrograms(account), placeData(account, dataDirectory)]);

  const undo: UndoStep[] = [];
  try {
    const lock = await lockData(data, { account, log, waitMs });
    undo.push(() => lock.release());
    await clearLeftovers(data, log);
    await initializeData(programs.initdb, data, { account, durable: settings.fsync !== 'off' });
    const wasShutDown = await endedInOrder(data);
    const password = await readPassword(programs.postgres, data, { account, lock });

    const place = await chooseListeningPlace(data, account);
    undo.push(() => place.remove());
    const output = new PostgresLog(`${dataDirectory}.log`);
    undo.push(() => output.close());
    const postmaster = {
      program: programs.postgres,
      data,
      account,
      lock: lock.fd,
      settings: { ...SETTINGS, shared_buffers: `${sharedBuffers}MB`, ...place.settings, ...settings },
      output,
      log,
      ...(onLaunch !== undefined && { onLaunch }),
    };
    const running = await keepRunning({
      log,
      async start(giveUp) {
        await clearLeftovers(data, log);
        return runPostmaster(postmaster, giveUp);
      },
    });
    undo.push(async () => {
      await running.stop();
      // Children of a killed server outlive it for a moment, or longer where one hangs.
      await clearLeftovers(data, log);
    });

    const server = { host: place.host, port: place.port, user: SUPERUSER, password };
    await createDatabase(server, DATABASE);
    if (!wasShutDown) await checkData({ ...server, database: DATABASE }, { log });
    let stopped: Promise<void> | undefined;
    return {
      address: { ...server, database: DATABASE },
      stop: () => {
        stopped ??= undoAll(undo);
        return stopped;
      },
    };
  } catch (error) {
    await undoAll(undo).catch((undoError: unknown) =>
      log.error({ err: undoError }, 'Cleaning up after a failed start of PostgreSQL failed.'),
    );
    throw error;
  }
}
