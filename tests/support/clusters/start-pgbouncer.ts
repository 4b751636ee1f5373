import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { ownPort } from '../own-port.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { whenDone } from '../when-done.ts';
import { accountOf } from './start-debian-cluster.ts';

const READY_WITHIN_MS = 30_000;

export interface PgBouncer {
  readonly address: PostgresAddress & { readonly host: string; readonly port: number };
  /** SIGKILL. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/**
 * Starts PgBouncer (`PGBOUNCER`) before a server that trusts its clients. Each transaction gets one of a few sessions. It
 * ends with the test, or with the file if started at its top.
 */
export async function startPgBouncer(
  server: { readonly host: string; readonly port: number; readonly user: string; readonly database: string },
  { sessions = 2 } = {},
): Promise<PgBouncer> {
  const program = process.env.PGBOUNCER;
  if (program === undefined) throw new Error('PGBOUNCER must name the program of PgBouncer.');
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  const folder = join(await temporaryFolder(), 'pgbouncer');
  await mkdir(folder);
  const port = await ownPort();
  const settings = join(folder, 'pgbouncer.ini');
  const users = join(folder, 'users.txt');
  await writeFile(users, `"${server.user}" ""\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${server.host} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${sessions}
server_login_retry = 1
max_client_conn = 200
`,
  );
  if (account !== undefined) {
    await chmod(join(folder, '..'), 0o711);
    for (const path of [folder, settings, users]) await chown(path, account.uid, account.gid);
  }
  const address = { host: '127.0.0.1', port, user: server.user, password: '', database: server.database };
  let running: ReturnType<typeof spawn> | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const exited = once(running, 'exit');
    running.kill(signal);
    await exited;
  };
  const start = async () => {
    running = spawn(program, ['--quiet', settings], { ...account, cwd: folder, stdio: 'ignore' });
    const deadline = Date.now() + READY_WITHIN_MS;
    while (!(await responds(address))) {
      if (Date.now() > deadline) throw new Error('PgBouncer did not start.');
      await pause(50);
    }
  };
  whenDone(() => end('SIGKILL'));
  await start();
  return { address, start, kill: () => end('SIGKILL') };
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
