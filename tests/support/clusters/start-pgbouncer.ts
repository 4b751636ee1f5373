import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { ownPort } from '../own-port.ts';

const READY_WITHIN_MS = 30_000;

export interface PgBouncer {
  readonly address: PostgresAddress & { readonly host: string; readonly port: number };
  readonly pid: () => number;
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts PgBouncer (`PGBOUNCER`) before a server with a Unix socket, with its files in `folder`. It trusts its clients. Each transaction gets
 * one of a few sessions. It runs until it is killed.
 */
export async function startPgBouncer(
  { host = '', port: serverPort, user = '', password, database = '' }: PostgresAddress,
  { folder: parent, sessions }: { readonly folder: string; readonly sessions: number },
): Promise<PgBouncer> {
  const program = process.env.PGBOUNCER;
  if (program === undefined) throw new Error('PGBOUNCER must name the program of PgBouncer.');
  // It refuses to run as root, and must reach the socket.
  const account = process.getuid?.() === 0 ? await stat(host) : undefined;
  const folder = join(parent, 'pgbouncer');
  await mkdir(folder);
  const port = await ownPort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${user}" "${typeof password === 'string' ? password : ''}"\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${host} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
stats_users = ${user}
pool_mode = transaction
default_pool_size = ${sessions}
server_login_retry = 1
max_client_conn = 500
`,
  );
  if (account !== undefined) {
    await chmod(parent, 0o711);
    for (const path of [folder, settings, users]) await chown(path, account.uid, account.gid);
  }
  const address = { host: '127.0.0.1', port, user, password: '', database };
  let running: ReturnType<typeof spawn> | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  };
  const start = async () => {
    running = spawn(program, ['--quiet', settings], {
      ...(account !== undefined && { uid: account.uid, gid: account.gid }),
      cwd: folder,
      stdio: 'ignore',
    });
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!(await responds(address))) {
      if (Date.now() > deadline) throw new Error('PgBouncer did not start.');
      await pause(50);
    }
  };
  await start();
  return { address, pid: () => running?.pid ?? 0, start, kill: () => end('SIGKILL') };
}

async function responds(address: PostgresAddress): Promise<boolean> {
  const client = new Client(address);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
