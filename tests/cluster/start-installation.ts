import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeSecrets } from '#server/secrets.ts';
import { startDebianCluster } from '#tests/support/clusters/start-debian-cluster.ts';
import { startPgBouncer } from '#tests/support/clusters/start-pgbouncer.ts';
import { ownPort } from '#tests/support/own-port.ts';
import { productionEnvironment } from '#tests/support/production-environment.ts';
import { type ServiceProcess, startServiceProcess } from '#tests/support/service-process.ts';
import { temporaryFolder } from '#tests/support/temporary-folder.ts';
import { whenDone } from '#tests/support/when-done.ts';

/** Whether the programs are here that the installation needs. */
export const CAN_START = [process.env.POSTGRES_15_BIN, process.env.PGBOUNCER, process.env.HAPROXY].every(
  (program) => program !== undefined,
);

const SERVERS = 3;
const PROCESSES = 2;

/**
 * Starts three servers of two processes each behind HAProxy, on PostgreSQL 15 behind PgBouncer. They end with the file.
 */
export async function startInstallation() {
  const cluster = await startDebianCluster();
  whenDone(() => cluster.stop());
  const folder = await temporaryFolder();
  const pooler = await startPgBouncer(cluster.address, { folder, sessions: 12 });
  whenDone(() => pooler.kill());
  const { host = '', user = '', database = '' } = cluster.address;

  const port = await ownPort();
  const url = `http://localhost:${port}`;
  const { NODE_ENV, HOST, SMTP_URL, MAIL_FROM, ...shared } = productionEnvironment({
    port,
    secrets: await makeSecrets(),
  });
  const start = async (): Promise<ServiceProcess> => {
    const service = await startServiceProcess({
      dataDirectory: await temporaryFolder(),
      environment: {
        ...shared,
        // Development servers, whose outbox has the codes that were sent.
        NODE_ENV: 'development',
        DATABASE_URL: `postgres://${user}@${pooler.address.host}:${pooler.address.port}/${database}`,
        DATABASE_DIRECT_URL: `postgres:///${database}?host=${host}&user=${user}`,
        WEB_PROCESSES: String(PROCESSES),
        // HAProxy, and the clients' own entry before it, which gives each an address of its own.
        TRUSTED_PROXIES: '2',
        LOG_LEVEL: 'info',
      },
    });
    whenDone(() => service.end('SIGKILL'));
    return service;
  };
  // One after the other, as an operator starts them: the first one migrates.
  const services: ServiceProcess[] = [];
  for (let at = 0; at < SERVERS; at += 1) services.push(await start());
  await startHaProxy({ port, folder, services });
  return { url, key: shared.PUBLISHABLE_KEY ?? '', cluster, pooler, services };
}

interface ProxyOptions {
  readonly port: number;
  readonly folder: string;
  readonly services: readonly ServiceProcess[];
}

async function startHaProxy({ port, folder, services }: ProxyOptions): Promise<void> {
  const settings = join(folder, 'haproxy.cfg');
  const servers = services.map(({ url }, at) => `  server s${at} 127.0.0.1:${new URL(url).port} check\n`);
  await writeFile(
    settings,
    `global
  maxconn 2000
defaults
  mode http
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 2s
  option forwardfor
  option redispatch
  retries 3
listen reunite
  bind 127.0.0.1:${port}
  balance roundrobin
  option httpchk GET /health/ready
  default-server inter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('')}`,
  );
  const program = process.env.HAPROXY;
  if (program === undefined) throw new Error('HAPROXY must name the program of HAProxy.');
  let printed = '';
  const proxy: ChildProcess = spawn(program, ['-db', '-f', settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  proxy.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString('utf8');
  });
  const exited = once(proxy, 'exit');
  whenDone(async () => {
    proxy.kill('SIGKILL');
    await exited;
  });
  const deadline = Date.now() + 30_000;
  while (!(await isReady(`http://127.0.0.1:${port}`))) {
    if (Date.now() > deadline || proxy.exitCode !== null) throw new Error(`HAProxy did not start:\n${printed}`);
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  );
}
