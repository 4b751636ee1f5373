import { startJobs } from '#server/jobs/start-jobs.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';
import { stopOnceRecorded } from './stop-once-recorded.ts';

/** A server that is killed after a notice address accepted a message, before the database knows of it. */
const { address }: { address: PostgresAddress } = JSON.parse(process.argv[2] ?? '{}');
const dependencies = dependenciesForJobs(address, catchDelivery(), [], {
  outbound: { accepts: () => true, post: async () => ({ status: 200, retryAfter: null }), close: () => undefined },
});
await startJobs(stopOnceRecorded(dependencies, 'notice:'));
