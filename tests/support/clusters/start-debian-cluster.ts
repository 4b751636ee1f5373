import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type TestCluster, THROW_AWAY_SETTINGS } from './cluster.ts';
import { makeClusterFolder } from './cluster-folder.ts';

const run = promisify(execFile);
const READY_WITHIN_MS = 30_000;

/** A server of which the postmaster can be killed, as when the system runs out of memory. */
export interface DebianCluster extends TestCluster {
  /** Its backends are orphans then, and end by themselves. */
  kill(): Promise<void>;
  /** Starts it again on its data after it was killed. */
  restart(): Promise<void>;
}

/**
 * Starts a temporary server from the installed PostgreSQL in `POSTGRES_15_BIN`, such as /usr/lib/postgresql/15/bin.
 * PostgreSQL refuses to run as root; as root it runs as Debian's `postgres` account. `own` are its parameters beside
 * those of every throw-away server.
 */
export async function startDebianCluster(own: Readonly<Record<string, string>> = {}): Promise<DebianCluster> {
  const programs = process.env.POSTGRES_15_BIN;
  if (programs === undefined) throw new Error('POSTGRES_15_BIN must name the folder of the programs of PostgreSQL 15.');
  const folder = await makeClusterFolder();
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  if (account !== undefined) {
    await chmod(folder, 0o711);
    await chown(data, account.uid, account.gid);
  }
  // Its working folder must be one that the account may enter.
  const as = { ...account, cwd: data };

  const initdb = ['-D', data, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '--auth=trust', '--no-sync'];
  await run(join(programs, 'initdb'), initdb, as);
  const settings = {
    ...THROW_AWAY_SETTINGS,
    listen_addresses: '',
    unix_socket_directories: data,
    timezone: 'UTC',
    ...own,
  };
  const start = () =>
    spawn(
      join(programs, 'postgres'),
      ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
      { ...as, stdio: 'ignore' },
    );
  let server = start();
  const endWithUs = () => server.kill('SIGQUIT');
  process.once('exit', endWithUs);
  const end = async (signal: 'SIGQUIT' | 'SIGKILL') => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, 'exit');
    server.kill(signal);
    await exited;
  };

  const address = { host: data, port: 5432, user: 'postgres', password: '', database: 'postgres' };
  await untilReady(server, address);
  return {
    address,
    kill: () => end('SIGKILL'),
    async restart() {
      const deadline = Date.now() + READY_WITHIN_MS;
      for (;;) {
        server = start();
        try {
          return await untilReady(server, address);
        } catch (error) {
          // It does not start while one of the orphans is there.
          if (Date.now() > deadline) throw error;
          await pause(100);
        }
      }
    },
    async stop() {
      process.off('exit', endWithUs);
      // Immediate shutdown: nothing of it is kept.
      await end('SIGQUIT');
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The ids of an account of this machine. */
export async function accountOf(name: string): Promise<{ uid: number; gid: number }> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

/** Resolves when the server accepts connections. */
export async function untilReady(
  server: ChildProcess,
  address: { host: string; port: number; user: string },
): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    const { exitCode, signalCode } = server;
    if (exitCode !== null || signalCode !== null) {
      throw new Error(`PostgreSQL ended at its start: ${exitCode ?? signalCode}.`);
    }
    const client = new Client({ ...address, database: 'postgres' });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await pause(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
