import cluster from 'node:cluster';
import { readConfig, readEnvironment } from '#server/config.ts';
import { holdSignals } from '#server/processes/hold-signals.ts';
import { serveAsOneOfSeveral } from '#server/processes/serve-as-one-of-several.ts';
import { serveInSeveral } from '#server/processes/serve-in-several.ts';
import { quickPasswords } from '../quick-passwords.ts';
import { deliverTo } from './serve-delivery.ts';
import { followTime } from './shared-clock.ts';

/** What `startInstallation` tells this program, as JSON in `TEST_PARTS`. */
export interface SharedParts {
  /** Of `serveDelivery`. */
  readonly deliveryUrl: string;
  readonly hasSms: boolean;
  /** The file of `writeTime`. */
  readonly clock: string;
}

// As `server/main.ts`, with the test's delivery and clock.
if (cluster.isWorker) {
  const { deliveryUrl, hasSms, clock } = JSON.parse(process.env.TEST_PARTS ?? '') as SharedParts;
  await serveAsOneOfSeveral({
    delivery: deliverTo(deliveryUrl, hasSms),
    now: followTime(clock),
    auth: { passwords: quickPasswords, uniformResponseMs: null },
  });
} else {
  const url = await serveInSeveral(readConfig(readEnvironment(process.env)), holdSignals());
  process.stdout.write(`The server is ready at ${url}\n`);
}
