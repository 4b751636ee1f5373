import { setTimeout as pause } from 'node:timers/promises';
import { createSmtpDelivery, type SmtpDeliveryOptions } from '#server/delivery/email/smtp-delivery.ts';
import { startJobs } from '#server/jobs/start-jobs.ts';
import type { PostgresAddress } from '#server/postgres/address.ts';
import { dependenciesForJobs } from './dependencies-for-jobs.ts';

/** A server that says when it is about to send, and takes a second for it, in which it is frozen. Its log is its output. */
const { address, smtp }: { address: PostgresAddress; smtp: SmtpDeliveryOptions } = JSON.parse(process.argv[2] ?? '{}');
const logged: string[] = [];
const needs = dependenciesForJobs(address, createSmtpDelivery(smtp), logged);
logged.push = (...lines) => {
  process.stdout.write(lines.join(''));
  return 0;
};
const { limits } = needs;
await startJobs({
  ...needs,
  limits: {
    ...limits,
    async take(name, key) {
      process.stdout.write('about to send\n');
      await pause(1_000);
      return limits.take(name, key);
    },
  },
});
