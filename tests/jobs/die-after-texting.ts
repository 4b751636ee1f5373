import { startJobs } from '#server/jobs/start-jobs.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { catchDelivery } from '#tests/support/delivery-catcher.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';
import { stopOnceRecorded } from './stop-once-recorded.ts';

/** A server that is killed after an SMS was accepted and recorded, before the database knows of it. */
const { address }: { address: PostgresAddress } = JSON.parse(process.argv[2] ?? '{}');
await startJobs(stopOnceRecorded(dependenciesForJobs(address, catchDelivery()), 'sms:'));
