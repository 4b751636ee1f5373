import { resolve } from 'node:path';
import { afterAll } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createLog } from '#server/create-log.ts';
import { freePort } from '#server/free-port.ts';
import { makeSecrets, type Secrets } from '#server/secrets.ts';
import { type Service, startService } from '#server/start-service.ts';
import { catchDelivery, type DeliveryCatcher } from './delivery-catcher.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import type { TestDatabase } from './test-database.ts';

export interface TestServerOptions {
  /** Variables of the configuration, over those of a development server. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Two servers on one database share them, as two of one installation do. */
  readonly secrets?: Secrets;
  readonly delivery?: DeliveryCatcher;
  readonly clock?: TestClock;
}

/** The whole service, listening on a port of its own. */
export interface TestServer {
  readonly url: string;
  readonly secrets: Secrets;
  readonly delivery: DeliveryCatcher;
  readonly clock: TestClock;
  readonly service: Service;
  /** Everything that it logged, one JSON line each. */
  readonly logged: readonly string[];
  stop(): Promise<void>;
}

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Starts the whole service on a test database, as `npm start` does, except that deliveries are caught and that its
 * clock is the test's. Called at the top of a test file; it is stopped when the file's tests are done.
 */
export async function startTestServer(
  { address }: TestDatabase,
  { environment = {}, delivery = catchDelivery(), clock = createTestClock(), ...options }: TestServerOptions = {},
): Promise<TestServer> {
  const secrets = options.secrets ?? (await makeSecrets());
  const port = await freePort();
  const logged: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  const config = readConfig({ PORT: String(port), ...environment });
  const service = await startService({ config, log, root: ROOT, address, secrets, delivery, now: clock.now });
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= service.stop(1_000);
    return stopped;
  };
  afterAll(stop);
  return { url: service.url, secrets, delivery, clock, service, logged, stop };
}
