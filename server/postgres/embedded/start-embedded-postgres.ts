import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceLog } from '#server/log.ts';
import { type Account, chooseAccount } from './choose-account.ts';
import { clearLeftovers, removeOwner, writeOwner } from './clear-leftovers.ts';
import { createDatabase } from './create-database.ts';
import { freePort } from './free-port.ts';
import { initializeData, SUPERUSER } from './initialize-data.ts';
import { placeData } from './place-data.ts';
import { placePrograms } from './place-programs.ts';
import { Postmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  readonly address: { host: string; port: number; user: string; password: string; database: string };
  /** Ends it cleanly: running statements are rolled back, everything committed is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** Made on the first start. For root it may become a link to a place that an unprivileged account can reach. */
  readonly dataDirectory: string;
  readonly log: ServiceLog;
  /** Settings beside the durable defaults; a throw-away cluster of a test turns durability off here. */
  readonly settings?: Readonly<Record<string, string>>;
}

const DATABASE = 'reunite';

/** sun_path has 108 bytes with its end (unix(7)), and the socket is called `.s.PGSQL.5432`. */
const LONGEST_SOCKET_FOLDER = 107 - '/.s.PGSQL.5432'.length;

const SETTINGS: Readonly<Record<string, string>> = {
  max_connections: '60',
  shared_buffers: '128MB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  unix_socket_permissions: '0700',
  // Statements and rows hold what people wrote; an error's own line is enough for the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
};

/**
 * Starts the PostgreSQL that comes with the package on a data folder of its own, reachable by this machine only and with
 * a generated password. Recovers from a server that was killed, and is started again when it ends by itself.
 * Throws an OperatorError that says what to do where another server runs on the same data.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDirectory, log, settings = {} } = options;
  const account = await chooseAccount();
  const programs = await placePrograms(account);
  const data = await placeData(account, dataDirectory);
  const password = await initializeData(programs.initdb, data, account);
  await clearLeftovers(data, log);

  const place = await chooseListeningPlace(data, account);
  const postmaster = new Postmaster({
    program: programs.postgres,
    data,
    account,
    log,
    logFile: `${dataDirectory}.log`,
    settings: { ...SETTINGS, ...place.settings, ...settings },
  });
  const server = { host: place.host, port: place.port, user: SUPERUSER, password };
  try {
    await postmaster.start(server);
    await writeOwner(data);
    await createDatabase(server, DATABASE);
  } catch (error) {
    await postmaster.stop();
    await place.remove();
    throw error;
  }
  return {
    address: { ...server, database: DATABASE },
    async stop() {
      await postmaster.stop();
      await removeOwner(data);
      await place.remove();
    },
  };
}

interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** A Unix socket in a folder that only the account may enter; loopback where there are no Unix sockets. */
async function chooseListeningPlace(data: string, account: Account | null): Promise<ListeningPlace> {
  if (process.platform === 'win32') {
    const port = await freePort();
    return {
      host: '127.0.0.1',
      port,
      settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' },
      remove: async () => undefined,
    };
  }
  let folder = data;
  let remove = async () => undefined as void;
  // The setting is a list, in which commas and quotes mean something.
  if (Buffer.byteLength(data) > LONGEST_SOCKET_FOLDER || /[,"]/.test(data)) {
    const own = await mkdtemp(join(tmpdir(), 'reunite-'));
    if (account !== null) await chown(own, account.uid, account.gid);
    folder = own;
    remove = () => rm(own, { recursive: true, force: true });
  }
  return {
    host: folder,
    port: 5432,
    settings: { listen_addresses: '', port: '5432', unix_socket_directories: folder },
    remove,
  };
}
