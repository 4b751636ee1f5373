import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, chown, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { postgresProcessesIn, signal as sendSignal } from '#server/postgres/embedded/processes.ts';
import { ownPort } from '../own-port.ts';
import { killWithChildren } from '../processes.ts';
import { THROW_AWAY_SETTINGS } from './cluster.ts';
import { makeClusterFolder } from './cluster-folder.ts';
import { onCluster } from './make-template.ts';
import { accountOf, untilReady } from './start-debian-cluster.ts';
import { startLeaderProxy } from './start-leader-proxy.ts';

const run = promisify(execFile);
const ROW_WITHIN_MS = 60_000;

/** One of the two servers of a replicated cluster. */
interface ReplicatedServer {
  /** As a superuser, to a database that is empty at first. */
  readonly address: PostgresAddress & { readonly host: string; readonly port: number };
  /** SIGKILL for all of its processes. */
  kill(): Promise<void>;
  /** Stops or resumes all of its processes. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Starts it on the data that it has. */
  start(): Promise<void>;
}

/**
 * Two servers of the installed PostgreSQL 15 behind HAProxy. The standby receives what the primary writes, and the primary acknowledges
 * no commit before the standby has it.
 */
export interface ReplicatedCluster {
  readonly servers: readonly [ReplicatedServer, ReplicatedServer];
  /** For `DATABASE_URL`: a proxy that leads to the primary, at first to the first server. */
  readonly url: string;
  /** Has the proxy lead to a server, whatever it is. */
  lead(server: ReplicatedServer): void;
  /** Promotes a standby. Resolves when it is the primary; it acknowledges commits alone until another one joins. */
  promote(standby: ReplicatedServer): Promise<void>;
  /** Makes a killed former primary the standby of the other server, which waits for it from then on. */
  rejoin(former: ReplicatedServer, primary: ReplicatedServer): Promise<void>;
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Record<string, string>> = {
  ...THROW_AWAY_SETTINGS,
  // The processes are killed, not the machine: what they wrote survives without a flush.
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_keep_size: '256MB',
  wal_receiver_status_interval: '1s',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  timezone: 'UTC',
};

/** Starts both servers: the first one is the primary. `POSTGRES_15_BIN` must name the folder of the programs. */
export async function startReplicatedCluster(): Promise<ReplicatedCluster> {
  const programs = process.env.POSTGRES_15_BIN;
  if (programs === undefined) throw new Error('POSTGRES_15_BIN must name the folder of the programs of PostgreSQL 15.');
  const folder = await makeClusterFolder();
  const account = process.getuid?.() === 0 ? await accountOf('postgres') : undefined;
  if (account !== undefined) await chmod(folder, 0o711);
  const program = (name: string, words: readonly string[]) =>
    run(join(programs, name), words, { ...account, cwd: folder });

  const createServer = async (
    name: string,
  ): Promise<ReplicatedServer & { readonly data: string; stop(): Promise<void> }> => {
    const data = join(folder, name);
    await mkdir(data, { mode: 0o700 });
    if (account !== undefined) await chown(data, account.uid, account.gid);
    const address = { host: '127.0.0.1', port: await ownPort(), user: 'postgres', database: 'postgres' };
    let server: ChildProcess | undefined;
    const endWithUs = () => void server?.kill('SIGQUIT');
    process.once('exit', endWithUs);
    const ended = async (end: (running: ChildProcess) => void) => {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      end(server);
      await exited;
    };
    return {
      address,
      data,
      async start() {
        server = spawn(join(programs, 'postgres'), ['-D', data, '-p', String(address.port)], {
          ...account,
          cwd: data,
          stdio: 'ignore',
        });
        await untilReady(server, address);
      },
      kill: () => ended(({ pid }) => pid !== undefined && killWithChildren(pid)),
      signal(signal) {
        for (const pid of postgresProcessesIn(data)) sendSignal(pid, signal);
      },
      async stop() {
        process.off('exit', endWithUs);
        // Immediate shutdown: nothing of it is kept.
        await ended((running) => running.kill('SIGQUIT'));
      },
    };
  };

  const [one, other] = [await createServer('one'), await createServer('other')];
  const dataOf = (node: ReplicatedServer) => (node.address.port === one.address.port ? one.data : other.data);

  // Checksums, which pg_rewind needs.
  await program('initdb', [
    '-D',
    one.data,
    '-U',
    'postgres',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--auth=trust',
    '-k',
    '-N',
  ]);
  // In the file, where pg_rewind and the server that it runs for the recovery find them too.
  const settings = Object.entries(SETTINGS).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(one.data, 'postgresql.conf'), settings.join(''));
  await one.start();
  const from = ['-h', one.address.host, '-p', String(one.address.port), '-U', 'postgres'];
  await program('pg_basebackup', [...from, '-D', other.data, '--write-recovery-conf', '--checkpoint=fast', '-N']);
  await other.start();
  await synchronize(one);

  let leader = one.address.port;
  const proxyPort = await ownPort();
  const stopProxy = await startLeaderProxy({
    port: proxyPort,
    folder,
    servers: [one.address.port, other.address.port],
    isLeader: (port) => port === leader,
  });
  return {
    servers: [one, other],
    url: `postgres://postgres@127.0.0.1:${proxyPort}/postgres`,
    lead(server) {
      leader = server.address.port;
    },
    async promote(standby) {
      const client = new Client(standby.address);
      await client.connect();
      try {
        // Its own wait looks every 100 ms.
        await client.query('select pg_promote(false)');
        await untilRow(client, 'select where not pg_is_in_recovery()');
        leader = standby.address.port;
      } finally {
        await client.end();
      }
    },
    async rejoin(former, primary) {
      // pg_rewind reads in the control file of the new primary that it was promoted.
      await onCluster(primary.address, 'checkpoint');
      const { host, port, user, database } = primary.address;
      const source = `host=${host} port=${port} user=${user} dbname=${database}`;
      const data = dataOf(former);
      await program('pg_rewind', [
        `--target-pgdata=${data}`,
        `--source-server=${source}`,
        '--write-recovery-conf',
        '-N',
      ]);
      await former.start();
      await synchronize(primary);
    },
    async stop() {
      await stopProxy();
      for (const node of [one, other]) await node.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** From when this resolves, the standby has everything that the primary has acknowledged, or will. */
async function synchronize(primary: ReplicatedServer): Promise<void> {
  const client = new Client(primary.address);
  await client.connect();
  try {
    await client.query("alter system set synchronous_standby_names = '*'");
    await client.query('select pg_reload_conf()');
    await untilRow(client, "select from pg_stat_replication where state = 'streaming' and sync_state = 'sync'");
    // The process that makes it is also the one by which commits learn that they have to wait.
    await client.query('checkpoint');
    const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn');
    await untilRow(client, 'select from pg_stat_replication where flush_lsn >= $1', [rows[0]?.lsn]);
  } finally {
    await client.end();
  }
}

async function untilRow(client: Client, text: string, values: unknown[] = []): Promise<void> {
  const deadline = Date.now() + ROW_WITHIN_MS;
  while ((await client.query(text, values)).rowCount === 0) {
    if (Date.now() > deadline) throw new Error(`This did not come to pass: ${text}`);
    await pause(5);
  }
}
