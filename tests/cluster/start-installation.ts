import { makeSecrets } from '#server/start/secrets.ts';
import { startDebianCluster } from '#tests/support/clusters/start-debian-cluster.ts';
import { startHaProxy } from '#tests/support/clusters/start-haproxy.ts';
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
  // PostgreSQL is killed. Most tests have it acknowledge commits that are not written yet.
  const cluster = await startDebianCluster({ synchronous_commit: 'on' });
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
      // As `npm start` does. It starts sooner than from the sources.
      program: 'build/program/main.js',
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
  const servers = services.map((service) => Number(new URL(service.url).port));
  const startProxy = () => startHaProxy({ port, folder, servers, isChecking: true });
  let killProxy = await startProxy();
  whenDone(() => killProxy());
  const proxy = {
    kill: () => killProxy(),
    async start() {
      killProxy = await startProxy();
    },
  };
  return { url, key: shared.PUBLISHABLE_KEY ?? '', cluster, pooler, proxy, services };
}
