import type { ServiceLog } from '#server/log.ts';
import { type UndoStep, undoAll } from '#server/undo-all.ts';
import { chooseAccount } from './choose-account.ts';
import { chooseListeningPlace } from './choose-listening-place.ts';
import { claimData } from './claim-data.ts';
import { clearLeftovers } from './clear-leftovers.ts';
import { createDatabase } from './create-database.ts';
import { initializeData } from './initialize-data.ts';
import { keepRunning } from './keep-running.ts';
import { placeData } from './place-data.ts';
import { placePrograms } from './place-programs.ts';
import { PostgresLog } from './postgres-log.ts';
import { runPostmaster } from './run-postmaster.ts';
import { SETTINGS, sharedBuffersFor } from './settings.ts';
import { readPassword, SUPERUSER } from './superuser-password.ts';

export interface EmbeddedPostgres {
  readonly address: { host: string; port: number; user: string; password: string; database: string };
  /** Ends it cleanly: running statements are rolled back, everything committed is on disk. Again does nothing more. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /**
   * Made on the first start. For root it may become a link to a place that an unprivileged account can reach. What
   * PostgreSQL prints goes to the file beside it whose name ends in `.log`.
   */
  readonly dataDirectory: string;
  readonly log: ServiceLog;
  /** MiB; by the machine's memory where it is not given. */
  readonly sharedBuffers?: number | undefined;
  /** Settings beside the durable defaults; a throw-away cluster of a test turns durability off here. */
  readonly settings?: Readonly<Record<string, string>>;
}

const DATABASE = 'reunite';

/**
 * Starts the PostgreSQL that comes with the package on a data folder of its own, reachable by this machine only and with
 * a generated password. Recovers from a server that was killed, is started again when it ends by itself, and ends when
 * this process does. Throws an OperatorError that says what to do where another server runs on the same data.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDirectory, log, sharedBuffers = sharedBuffersFor(), settings = {} } = options;
  const account = await chooseAccount(dataDirectory);
  const programs = await placePrograms(account);
  const data = await placeData(account, dataDirectory);

  const undo: UndoStep[] = [];
  try {
    const claim = await claimData(data);
    undo.push(() => claim.release());
    await clearLeftovers(data, log);
    await initializeData(programs.initdb, data, { account, durable: settings.fsync !== 'off' });
    const password = await readPassword(programs.postgres, data, account);

    const place = await chooseListeningPlace(data, account);
    undo.push(() => place.remove());
    const output = new PostgresLog(`${dataDirectory}.log`);
    undo.push(() => output.close());
    const postmaster = {
      program: programs.postgres,
      data,
      account,
      settings: { ...SETTINGS, shared_buffers: `${sharedBuffers}MB`, ...place.settings, ...settings },
      output,
      log,
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
      // One that was killed is survived by its children, for a moment or, where one hangs, for longer.
      await clearLeftovers(data, log);
    });

    const server = { host: place.host, port: place.port, user: SUPERUSER, password };
    await createDatabase(server, DATABASE);
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
