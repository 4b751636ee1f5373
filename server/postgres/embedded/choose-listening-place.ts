import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { freePort } from '#server/postgres/embedded/free-port.ts';
import { type Account, canReach } from './choose-account.ts';

/** Where PostgreSQL listens: only on this machine, and where possible only for this account. */
export interface ListeningPlace {
  readonly host: string;
  readonly port: number;
  readonly settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

/** A socket's path is at most 107 bytes on Linux and 103 on macOS (unix(7), unix(4)). */
const LONGEST_FOLDER_BYTES = 103 - '/.s.PGSQL.5432'.length;
const FOLDER_PREFIX = 'reunite-socket-';

/**
 * Chooses where PostgreSQL listens: a Unix socket in the data folder, which only the account can enter; a temporary
 * folder where the data's path is too long or has special characters; loopback where there are no Unix sockets.
 */
export async function chooseListeningPlace(
  data: string,
  account: Account | null,
  temporaryFolders: readonly string[] = [tmpdir(), '/tmp', '/var/tmp'],
): Promise<ListeningPlace> {
  if (process.platform === 'win32') return onLoopback();
  if (isUsable(data)) return onSocket(data, async () => undefined);
  for (const parent of temporaryFolders) {
    const folder = await mkdtemp(join(parent, FOLDER_PREFIX)).catch(() => null);
    if (folder === null) continue;
    const remove = () => rm(folder, { recursive: true, force: true });
    await chmod(folder, 0o700);
    if (account !== null) await chown(folder, account.uid, account.gid);
    if (isUsable(folder) && (await canReach(account, folder))) return onSocket(folder, remove);
    await remove();
  }
  return onLoopback();
}

/** Whether `chooseListeningPlace` created the folder, so that it can be removed with its contents. */
export function isOwnSocketFolder(folder: string): boolean {
  return basename(folder).startsWith(FOLDER_PREFIX);
}

/** The setting is a list in which commas and quotes are special. */
function isUsable(folder: string): boolean {
  return Buffer.byteLength(folder) <= LONGEST_FOLDER_BYTES && !/[,"\n]/.test(folder);
}

function onSocket(folder: string, remove: () => Promise<void>): ListeningPlace {
  return {
    host: folder,
    port: 5432,
    settings: { listen_addresses: '', port: '5432', unix_socket_directories: folder },
    remove,
  };
}

async function onLoopback(): Promise<ListeningPlace> {
  const port = await freePort();
  return {
    host: '127.0.0.1',
    port,
    settings: { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: '' },
    remove: async () => undefined,
  };
}
