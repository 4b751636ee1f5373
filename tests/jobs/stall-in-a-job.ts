import { startJobs } from '#server/jobs/start-jobs.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

/** A server that is killed between taking a job and sending its email: it reports the job and never sends. */
const stalling = dependenciesForJobs(JSON.parse(process.argv[2] ?? '{}'), {
  hasSms: true,
  sendSms: async () => undefined,
  sendEmail: () => {
    process.stdout.write('sending\n');
    return new Promise(() => undefined);
  },
});
await startJobs(stalling);
