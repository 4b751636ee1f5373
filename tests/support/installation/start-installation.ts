import { join } from 'node:path';
import { readConfig } from '#server/config.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import type { Secrets } from '#server/start/secrets.ts';
import { openTokenKeys, type TokenKeys } from '#server/tokens/token-keys.ts';
import { startHaProxy } from '../clusters/start-haproxy.ts';
import type { DeliveryCatcher } from '../delivery-catcher.ts';
import { productionEnvironment } from '../production-environment.ts';
import { type ServiceProcess, startServiceProcess } from '../service-process.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { TestClock } from '../test-clock.ts';
import type { SharedParts } from './serve.ts';
import { serveDelivery } from './serve-delivery.ts';
import { writeTime } from './shared-clock.ts';

const SERVERS = 3;
const PROCESSES = 2;

export interface InstallationOptions {
  readonly database: PostgresAddress;
  /** Leads to `database`'s server through PgBouncer. */
  readonly pooler: PostgresAddress;
  readonly environment: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
  /** HAProxy's. */
  readonly port: number;
  readonly dataDirectory: string;
  readonly delivery: DeliveryCatcher;
  readonly clock: TestClock;
}

/** Several servers that are reached at one URL. */
export interface Installation {
  readonly url: string;
  readonly tokens: TokenKeys;
  /** What all of them have logged so far, one JSON line each, with the number of the `server`, from 1. */
  readonly logged: readonly string[];
  /** Stops the servers as an operator does, or kills them. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/**
 * Starts three servers of two processes each behind HAProxy, on a database behind PgBouncer. They share a folder for
 * files, the delivery and the clock of the test.
 */
export async function startInstallation({
  database,
  pooler,
  environment,
  secrets,
  port,
  dataDirectory,
  delivery,
  clock,
}: InstallationOptions): Promise<Installation> {
  const folder = await temporaryFolder();
  const caught = await serveDelivery(delivery);
  const parts: SharedParts = { deliveryUrl: caught.url, hasSms: delivery.hasSms, clock: join(folder, 'clock') };
  const unwatch = clock.watch((time) => writeTime(parts.clock, time));
  const settings = {
    ...productionEnvironment({ port, secrets }),
    HOST: '127.0.0.1',
    DATABASE_URL: urlOf({ ...pooler, database: database.database }),
    DATABASE_DIRECT_URL: urlOf(database),
    WEB_PROCESSES: String(PROCESSES),
    // HAProxy, and the clients' own entry before it, which gives each an address of its own.
    TRUSTED_PROXIES: '2',
    LOG_LEVEL: 'debug',
    ...environment,
  };
  const services: ServiceProcess[] = [];
  let endProxy: (() => Promise<void>) | undefined;
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    unwatch();
    await Promise.all(services.map((service) => service.end(signal)));
    await endProxy?.();
    await caught.close();
  };
  const started = await Promise.allSettled(
    Array.from({ length: SERVERS }, async () => {
      const service = await startServiceProcess({
        program: 'tests/support/installation/serve.ts',
        dataDirectory,
        environment: { ...settings, TEST_PARTS: JSON.stringify(parts) },
      });
      services.push(service);
    }),
  );
  try {
    for (const result of started) if (result.status === 'rejected') throw result.reason;
    const servers = services.map(({ url }) => Number(new URL(url).port));
    endProxy = await startHaProxy({ port, folder, servers, isChecking: false });
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
  const { publicUrl } = readConfig({ ...settings, DATA_DIRECTORY: dataDirectory });
  return {
    url: `http://localhost:${port}`,
    tokens: await openTokenKeys({ jwtKeys: secrets.jwtKeys, issuer: `${publicUrl}/auth/v1`, now: clock.now }),
    get logged() {
      return services.flatMap(({ output }, index) =>
        output()
          .split('\n')
          .filter((line) => line.endsWith('}'))
          .map((line) => `{"server":${index + 1},${line.slice(1)}`),
      );
    },
    end,
  };
}

function urlOf({ host = '', port, user = '', database = '' }: PostgresAddress): string {
  return host.startsWith('/')
    ? `postgres:///${database}?host=${host}&user=${user}`
    : `postgres://${user}@${host}:${port}/${database}`;
}
