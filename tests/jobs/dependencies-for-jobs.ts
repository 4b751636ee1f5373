import { readConfig } from '#server/config.ts';
import type { Delivery } from '#server/delivery/delivery.ts';
import { createSentKeys, rememberSentMails } from '#server/delivery/sent-keys.ts';
import type { Dependencies } from '#server/dependencies.ts';
import { createRateLimits } from '#server/limits/postgres-rate-limits.ts';
import { createLog } from '#server/log/create-log.ts';
import { NO_METRICS } from '#server/metrics/metrics.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { openDatabase } from '#server/postgres/database.ts';

/** What the job queue needs of the service, on a test's database and with its delivery. */
export function dependenciesForJobs(
  address: PostgresAddress,
  delivery: Delivery,
  logged: string[] = [],
  { push = null, outbound, metrics = NO_METRICS }: Partial<Pick<Dependencies, 'push' | 'outbound' | 'metrics'>> = {},
): Dependencies {
  const log = createLog({ level: 'debug', destination: { write: (line) => void logged.push(line) } });
  const database = openDatabase({ address, log });
  const sent = createSentKeys({ database, log });
  const config = readConfig({ PUBLIC_URL: 'https://lost.example.org' });
  const secrets = { refreshTokenSecret: 'x'.repeat(32) };
  const files = { blobs: { async *list() {} }, spool: { sweep: async () => 0 } };
  const limits = createRateLimits({ database, log });
  // Jobs do not verify tokens, and there are no files here.
  return {
    config,
    secrets,
    database,
    delivery: rememberSentMails(delivery, sent),
    outbound,
    push,
    sent,
    backups: null,
    limits,
    files,
    metrics,
    log,
    now: Date.now,
  } as unknown as Dependencies;
}
