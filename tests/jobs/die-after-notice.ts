import { openSentKeys } from '#server/delivery/sent-keys.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { quietLog } from '#tests/support/quiet-log.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

/** A server that is killed after a notice address accepted a message, before the database knows of it. */
const { address, directory }: { address: PostgresAddress; directory: string } = JSON.parse(process.argv[2] ?? '{}');
const sent = await openSentKeys({ directory, log: quietLog, now: Date.now });
await startJobs(
  dependenciesForJobs(address, catchDelivery(), [], {
    outbound: { accepts: () => true, post: async () => ({ status: 200, retryAfter: null }), close: () => undefined },
    sent: {
      has: (key) => sent.has(key),
      add(key) {
        sent.add(key);
        if (!key.startsWith('notice:')) return;
        process.stdout.write('accepted\n');
        // Stops the whole process.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      },
    },
  }),
);
